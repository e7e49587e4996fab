import { setTimeout as pause } from 'node:timers/promises';
import { TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import {
  encoded,
  TransferClient,
  type LeadEncoding,
  type ShownImport,
} from '../../support/clients/transfer.client';
import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { triesOf } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';

/** Rows of the largest file: `npm run test:all` has as many as an import may have. */
const ROWS = Math.min(triesOf(300, 100_000), TRANSFER_LIMITS.rowsMax);
/** As spreadsheets save files, in the order in which they are imported. */
const FILES: readonly { encoding: LeadEncoding; sign: string; rows: number }[] = [
  { encoding: 'windows-1251', sign: '\t', rows: 200 },
  { encoding: 'utf-16le', sign: ',', rows: 300 },
  { encoding: 'utf-8', sign: ';', rows: ROWS },
];
/** Leads that people move meanwhile, and how long they think about each. */
const MOVED = 10;
const THINKING_MS = 20;
const DEADLINE_MS = 60_000 + ROWS * 6;

/** Of one name but for case, so that a file has to name them by their ids. */
const STAGES = [{ name: 'Новый' }, { name: '=Оплачено' }, { name: 'Дубль' }, { name: 'дубль' }];
/** What a spreadsheet would run, or would read otherwise. */
const NAMES = ['=1+1', '+7 дней', '-', '@дом', "'=x", "''", 'a;b,"c"', 'Ёжик 🦔', 'Иванов, Иван', ''];

const scene = setScene({ stages: STAGES, environment: { ROLE: 'api' } });
let client: TransferClient;
let people: string[];

/** A lead as a file has it. */
interface Lead {
  phone: string;
  name: string;
  stage: string | null;
  person: string | null;
}

beforeAll(async () => {
  await scene.account.connect();
  client = new TransferClient(scene.api);
  people = await Promise.all(['Алия', 'Борис', 'борис'].map((name) => scene.account.addUser({ name })));
});

const fields = () => ({
  assistant_id: scene.account.assistantId,
  bot_id: scene.account.botId,
  channel: 'waba_coexistence',
});

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** A name as people defuse it, or a program does. */
const defused = (name: string): string => (/^'*[=+\-@]/.test(name) ? `'${name}` : name);

const nameOf = (n: number): string => (n % 3 === 0 ? (NAMES[(n / 3) % NAMES.length] ?? '') : `Клиент ${n}`);

const phoneOf = (n: number): string => `+7702${String(n).padStart(7, '0')}`;

const leadOf = (n: number, encoding: LeadEncoding): Lead => ({
  phone: phoneOf(n),
  // No emoji is in Windows-1251.
  name: encoding === 'windows-1251' ? nameOf(n).replace(' 🦔', '') : nameOf(n),
  stage: n % 4 === 0 ? null : scene.stage(n % 4),
  person: n % 5 === 0 ? (people[n % 3] ?? null) : null,
});

/** What is stored, and the versions of each dialog's events in their order. */
async function stored(): Promise<(Lead & { version: number; versions: number[] | null })[]> {
  const { rows } = await scene.database.pool.query(
    `SELECT t.phone, coalesce(t.name_override, '') AS name, t.status_id AS stage, t.assignee_id AS person,
            t.version::int AS version, e.versions
       FROM threads t LEFT JOIN LATERAL (
         SELECT array_agg(version::int ORDER BY seq) AS versions FROM events
          WHERE account_id = t.account_id AND thread_id = t.id) e ON true
      WHERE t.account_id = $1 ORDER BY t.phone`,
    [scene.account.id],
  );
  return rows as Awaited<ReturnType<typeof stored>>;
}

const leadsOf = async (): Promise<Lead[]> =>
  (await stored()).map(({ phone, name, stage, person }) => ({ phone, name, stage, person }));

const worker = (further: Record<string, string> = SHORT_TIMES) =>
  scene.addServer({ ROLE: 'worker', ...further });

/** A process that takes imports in until it kills itself. */
async function victim(when: 'before' | 'after', chunk: number): Promise<void> {
  const { pid } = await worker({ ...injected('import-boundary', { when, chunk }), ...SHORT_TIMES });
  const isGone = (): Promise<boolean> => {
    try {
      return Promise.resolve(!process.kill(pid, 0));
    } catch {
      return Promise.resolve(true);
    }
  };
  await eventually(isGone, DEADLINE_MS, 'the process did not come to its commit');
}

it('of twelve imports that an account begins at once ten are taken, and a further one when one has ended', async () => {
  const other = await AccountFixture.create(scene.database.pool);
  await other.connect();
  const theirs = new TransferClient(scene.apiAt(0, other.key));
  const asked = { assistant_id: other.assistantId, bot_id: other.botId, channel: 'waba_coexistence' };
  const begin = (): Promise<Answer> => theirs.import('phone\n+77010000001', asked);
  const answers = await Promise.all(Array.from({ length: 12 }, begin));
  const taken = answers.filter(({ body }) => body.ok);
  const refused = answers.filter(({ body }) => !body.ok);
  expect(taken).toHaveLength(10);
  for (const { headers, body } of refused)
    expect([body.error.code, headers.get('retry-after')]).toEqual(['RATE_LIMITED', '30']);
  await theirs.cancel(taken[0]?.body.data.import_id as string);
  expect((await Promise.all([begin(), begin()])).filter(({ body }) => body.ok)).toHaveLength(1);
  await scene.database.pool.query('DELETE FROM imports WHERE account_id = $1', [other.id]);
});

/** A file of leads, and what of it can be taken in. */
interface LeadFile {
  bytes: Buffer;
  leads: Lead[];
  faults: { row: number; column: string }[];
}

/** One row in a hundred is faulty, one in two hundred has the phone of an earlier one. */
function fileOf(from: number, { encoding, sign, rows }: (typeof FILES)[number]): LeadFile {
  const leads: Lead[] = [];
  const faults: LeadFile['faults'] = [];
  const lines = [['phone', 'name', 'status', 'assignee']];
  for (let n = from; n < from + rows; n += 1) {
    const { phone, name, stage, person } = leadOf(n, encoding);
    const row = n - from + 2;
    if (n % 200 === 50 || n % 200 === 150) {
      lines.push(n % 200 === 50 ? [`нет ${n}`, 'x', '', ''] : [phone, '', 'Нигде', '']);
      faults.push({ row, column: n % 200 === 50 ? 'phone' : 'status' });
    } else if (n % 200 === 151) {
      lines.push([phoneOf(n - 1), 'Второй', '', '']);
      faults.push({ row, column: 'phone' });
    } else {
      lines.push([phone, quoted(defused(name)), stage ?? '', person ?? '']);
      leads.push({ phone, name, stage, person });
    }
  }
  return { bytes: encoded(lines.map((cells) => cells.join(sign)).join('\n'), encoding), leads, faults };
}

/** Moves leads whose stage their file leaves as it is, one after the other, until it is told that it is over. */
async function moving(leads: readonly Lead[], isOver: () => boolean): Promise<number> {
  const { rows } = await scene.database.pool.query<{ id: string; phone: string }>(
    'SELECT id, phone FROM threads WHERE account_id = $1 AND phone = ANY ($2)',
    [scene.account.id, leads.map(({ phone }) => phone)],
  );
  let moves = 0;
  for (; !isOver(); moves += 1) {
    const thread = rows[moves % rows.length];
    const lead = leads.find(({ phone }) => phone === thread?.phone);
    if (!thread || !lead) throw new Error('there is no such lead');
    lead.stage = scene.stage(moves % 3);
    const { status, text } = await scene.api.setStatus({
      thread_id: `thread_${thread.id}`,
      status_id: lead.stage,
    });
    if (status !== 200) throw new Error(text);
    await pause(THINKING_MS);
  }
  return moves;
}

it(`imports of ${FILES.map(({ rows }) => rows).join(', ')} rows whose process is killed before and after a commit are what their files say, once, while people move leads`, async () => {
  const starts = FILES.map((_, at) => FILES.slice(0, at).reduce((sum, { rows }) => sum + rows, 0));
  const files = FILES.map((file, at) => fileOf(starts[at] ?? 0, file));
  const leads = files.flatMap((file) => file.leads);
  const isKnown = ({ phone }: Lead): boolean => Number(phone.slice(5)) % 10 === 0;
  const known = leads.filter(isKnown);
  await scene.database.pool.query(
    `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone)
       SELECT $1, gen_random_uuid(), $2, $3, 'waba_coexistence', p, p FROM unnest($4::text[]) p`,
    [scene.account.id, scene.account.assistantId, scene.account.botId, known.map(({ phone }) => phone)],
  );
  const asIs = ({ name, stage, person }: Lead): boolean => name === '' && stage === null && person === null;
  const counts = files.map((file) => {
    const there = file.leads.filter(isKnown);
    const unchanged = there.filter(asIs).length;
    const created = file.leads.length - there.length;
    return { created, unchanged, moved: there.length - unchanged, faulty: file.faults.length };
  });
  const ids: string[] = [];
  for (const { bytes } of files) {
    const { body, text } = await client.import(bytes, fields());
    expect([text, body.ok]).toEqual([text, true]);
    ids.push(body.data.import_id as string);
  }
  const shown = async (id: string): Promise<ShownImport> =>
    (await client.get(id, { faults_limit: 0 })).body.data as ShownImport;
  const rowsDone = async (): Promise<number> =>
    (await Promise.all(ids.map(shown))).reduce((sum, { done }) => sum + done, 0);
  let isOver = false;
  const load = moving(known.filter(({ stage }) => stage === null).slice(0, MOVED), () => isOver);
  // Awaited below, also where something else fails first.
  load.catch(() => undefined);
  try {
    await victim('before', 3);
    expect(await rowsDone()).toBe(200);
    await victim('after', 4);
    expect(await rowsDone()).toBe(600);
    await worker();
    for (const [at, id] of ids.entries()) {
      const ended = await client.ended(id, DEADLINE_MS);
      const rows = FILES[at]?.rows;
      expect(ended).toMatchObject({ state: 'done', rows, done: rows, ...counts[at] });
      expect(ended.faults.map(({ row, column }) => ({ row, column }))).toEqual(
        files[at]?.faults.slice(0, TRANSFER_LIMITS.faultsMax),
      );
    }
  } finally {
    isOver = true;
  }
  expect(await load).toBeGreaterThan(MOVED);
  expect(await leadsOf()).toEqual(leads);
  const wasThere = new Set(known.map(({ phone }) => phone));
  const broken = (await stored()).filter(({ phone, version, versions }) => {
    const first = wasThere.has(phone) ? 2 : 1;
    const expected = Array.from({ length: version - first + 1 }, (_, n) => first + n);
    return JSON.stringify(versions ?? []) !== JSON.stringify(expected);
  });
  expect(broken).toEqual([]);
});

it('what is exported, deleted and imported again is the same', async () => {
  const before = await leadsOf();
  expect(before.length).toBeGreaterThan(ROWS / 2);
  const exported = await client.export({ assistant_id: scene.account.assistantId, format: 'csv' });
  expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  await scene.database.pool.query('DELETE FROM thread_search');
  await scene.database.pool.query('DELETE FROM thread_addresses');
  await scene.database.pool.query('DELETE FROM threads');
  const ended = await client.done(exported.text, fields(), DEADLINE_MS);
  expect(ended).toMatchObject({ created: before.length, faulty: 0 });
  expect(await leadsOf()).toEqual(before);
  const again = await client.done(exported.text, fields(), DEADLINE_MS);
  expect(again).toMatchObject({ created: 0, moved: 0, unchanged: before.length, faulty: 0 });
  // No cell of a text begins as a formula does; phones stay phones.
  const cells = exported.text.split(/[\r\n,]+/).filter((cell) => /^"?[=+\-@\t]/.test(cell));
  expect(cells.filter((cell) => !/^\+\d+$/.test(cell))).toEqual([]);
});
