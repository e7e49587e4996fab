import { TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import { TransferClient, type ShownImport } from '../../support/clients/transfer.client';
import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { planted } from '../../support/faults/planted.environment';
import { triesOf } from '../../support/long.mode';
import { setLeadScene } from '../../support/scenes/lead.scene';

/** Rows of the file: `npm run test:long` has as many as an import may have. */
const ROWS = Math.min(triesOf(1_200, 100_000), TRANSFER_LIMITS.rowsMax);
const DEADLINE_MS = 60_000 + ROWS * 6;

/** Of one name but for case, so that a file has to name them by their ids. */
const STAGES = [{ name: 'Новый' }, { name: '=Оплачено' }, { name: 'Дубль' }, { name: 'дубль' }];
/** What a spreadsheet would run, or would read otherwise. */
const NAMES = ['=1+1', '+7 дней', '-', '@дом', "'=x", "''", 'a;b,"c"', 'Ёжик 🦔', 'Иванов, Иван', ''];

const scene = setLeadScene({ stages: STAGES, environment: { ROLE: 'api' } });
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

const leadOf = (n: number): Lead => ({
  phone: `+7702${String(n).padStart(7, '0')}`,
  name: n % 3 === 0 ? (NAMES[(n / 3) % NAMES.length] ?? '') : `Клиент ${n}`,
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

const worker = (further: Record<string, string> = planted('short-times')) =>
  scene.addServer({ ROLE: 'worker', ...further });

/** A process that takes imports in until it kills itself. */
async function victim(kill: string): Promise<void> {
  const { pid } = await worker({ ...planted('short-times', 'import-boundary'), PLANTED_KILL: kill });
  const isGone = (): Promise<boolean> => {
    try {
      return Promise.resolve(!process.kill(pid, 0));
    } catch {
      return Promise.resolve(true);
    }
  };
  await eventually(isGone, DEADLINE_MS, `the process did not come to ${kill} a commit`);
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

it(
  `an import of ${ROWS} rows whose process is killed before and after a commit is what its file says, once`,
  async () => {
    const leads: Lead[] = [];
    const known: Lead[] = [];
    const faults: { row: number; column: string }[] = [];
    const lines = ['phone;name;status;assignee'];
    for (let n = 0; n < ROWS; n += 1) {
      const lead = leadOf(n);
      const row = n + 2;
      // One in a hundred is faulty, one in two hundred has the phone of an earlier one.
      if (n % 100 === 50) {
        lines.push(n % 200 === 50 ? `нет ${n};x;;` : `${lead.phone};;Нигде;`);
        faults.push({ row, column: n % 200 === 50 ? 'phone' : 'status' });
      } else if (n % 200 === 150 || n % 200 === 151) {
        lines.push(`${leadOf(n - 1).phone};Второй;;`);
        faults.push({ row, column: 'phone' });
      } else {
        const { phone, name, stage, person } = lead;
        lines.push([phone, quoted(defused(name)), stage ?? '', person ?? ''].join(';'));
        leads.push(lead);
        if (n % 10 === 0) known.push(lead);
      }
    }
    await scene.database.pool.query(
      `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone)
       SELECT $1, gen_random_uuid(), $2, $3, 'waba_coexistence', p, p FROM unnest($4::text[]) p`,
      [scene.account.id, scene.account.assistantId, scene.account.botId, known.map(({ phone }) => phone)],
    );
    const { body, text } = await client.import(lines.join('\n'), fields());
    expect([text, body.ok]).toEqual([text, true]);
    const id = body.data.import_id as string;
    await victim('before 3');
    const afterFirst = (await client.get(id, { faults_limit: 0 })).body.data as ShownImport;
    expect(afterFirst).toMatchObject({ state: 'running', done: 200 });
    await victim('after 4');
    expect((await client.get(id, { faults_limit: 0 })).body.data).toMatchObject({
      state: 'running',
      done: 600,
    });
    await worker();
    const ended = await client.ended(id, DEADLINE_MS);
    const unchanged = known.filter(
      ({ name, stage, person }) => name === '' && stage === null && person === null,
    );
    expect(ended).toMatchObject({
      ...{ state: 'done', rows: ROWS, done: ROWS, faulty: faults.length, unchanged: unchanged.length },
      ...{ created: leads.length - known.length, moved: known.length - unchanged.length },
    });
    expect(ended.faults.map(({ row, column }) => ({ row, column }))).toEqual(
      faults.slice(0, TRANSFER_LIMITS.faultsMax),
    );
    expect(await leadsOf()).toEqual(leads);
    const wasThere = new Set(known.map(({ phone }) => phone));
    const broken = (await stored()).filter(({ phone, version, versions }) => {
      const first = wasThere.has(phone) ? 2 : 1;
      const expected = Array.from({ length: version - first + 1 }, (_, n) => first + n);
      return JSON.stringify(versions ?? []) !== JSON.stringify(expected);
    });
    expect(broken).toEqual([]);
  },
  2 * DEADLINE_MS,
);

it(
  'what is exported, deleted and imported again is the same',
  async () => {
    const before = await leadsOf();
    expect(before.length).toBeGreaterThan(ROWS / 2);
    const exported = await client.export({ assistant_id: scene.account.assistantId, format: 'csv' });
    expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    await scene.database.pool.query('DELETE FROM thread_search');
    await scene.database.pool.query('DELETE FROM threads');
    const ended = await client.done(exported.text, fields(), DEADLINE_MS);
    expect(ended).toMatchObject({ created: before.length, faulty: 0 });
    expect(await leadsOf()).toEqual(before);
    const again = await client.done(exported.text, fields(), DEADLINE_MS);
    expect(again).toMatchObject({ created: 0, moved: 0, unchanged: before.length, faulty: 0 });
    // No cell of a text begins as a formula does; phones stay phones.
    const cells = exported.text.split(/[\r\n,]+/).filter((cell) => /^"?[=+\-@\t]/.test(cell));
    expect(cells.filter((cell) => !/^\+\d+$/.test(cell))).toEqual([]);
  },
  3 * DEADLINE_MS,
);
