import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { WORK_NAMES, type WorkName } from '@app/domain/work/worker';
import { ApiClient } from '../../support/clients/api.client';
import { metricsOf } from '../../support/clients/metrics.reader';
import { TransferClient } from '../../support/clients/transfer.client';
import { AccountFixture } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { addUnusedDialogs } from '../../support/database/unused.dialogs';
import { eventually } from '../../support/eventually';
import { faultReports } from '../../support/faults/fault.reports';
import { opus } from '../../support/media.samples';
import { injected } from '../../support/faults/injected.faults';
import { ENDPOINT_TIMES, FREQUENT_RETENTION, limits, SHORT_TIMES } from '../../support/programs/test.limits';
import type { ServerProcess } from '../../support/programs/server.process';
import { setErasureScene } from '../../support/scenes/erasure.scene';
import { newPhone } from '../../support/scenes/send.scene';
import { cloudBody, postCloud, type CloudNumber } from '../../support/stand-ins/cloud.webhooks';
import { EndpointReceiver } from '../../support/stand-ins/endpoint.receiver';
import { StandInProvider } from '../../support/stand-ins/provider.stand-in';

/** A killed process's work continues within this time, whatever its lease. */
const TAKEN_OVER_WITHIN_MS = 20_000;
const CLAIMED_WITHIN_MS = 20_000;
const TIMES = {
  ...{ ...SHORT_TIMES, ...ENDPOINT_TIMES, ...FREQUENT_RETENTION },
  ...limits({ 'work.webhookLeaseMs': 3_000, 'work.figuresMs': 500 }),
};

/** The first process takes calls only. */
const scene = setErasureScene({ environment: { ROLE: 'api', ...TIMES, ...injected('on-this-machine') } });
let calls: StandInProvider;
const receivers: EndpointReceiver[] = [];

/** An account with one item of each kind of work. */
interface Own {
  account: AccountFixture;
  api: ApiClient;
  number: CloudNumber;
  endpoint: EndpointReceiver;
}

/** One kind of due work. */
interface Kind {
  /** Makes one item due. @returns what is to be seen of it, and what that is when it was done once */
  due: (own: Own) => Promise<[look: () => Promise<unknown>, done: unknown]>;
}

const query = <Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  scene.query<Row>(sql, ...values);

/** The values of one column, in their order. */
const column = async (sql: string, ...values: unknown[]): Promise<unknown[]> =>
  (await query<object>(sql, ...values)).map((row) => Object.values(row)[0] as unknown);

const textsTo = (phone: string): unknown[] =>
  scene.provider.sendsTo(phone).map(({ body }) => (body.text as { body: string }).body);

/** How often the log tells of a dialog that it moved. */
const moves = (threadId: string): Promise<unknown[]> =>
  column(
    `SELECT body ->> 'to' FROM events WHERE thread_id = $1 AND type = 'status' ORDER BY seq`,
    uuidOf(threadId),
  );

const KINDS: Record<WorkName, Kind> = {
  replies: {
    due: async ({ account, api }) => {
      const phone = newPhone();
      const threadId = await account.addThread({ phone, waitingMinutes: 1 });
      const message = await account.addMessage(threadId, { text: `Мой номер ${phone}` });
      await query('UPDATE threads SET waiting_message_id = $2 WHERE id = $1', uuidOf(threadId), message);
      await scene.model.reply({ text: 'Здравствуйте!', when: phone, times: null });
      const status_id = account.stages[0];
      const body = { thread_id: threadId, status_id, answer_pending_message: true, skip_scenarios: true };
      expect((await api.setStatus(body)).body.data.answered_pending_message).toBe(true);
      const states = 'SELECT state FROM replies WHERE thread_id = $1';
      const look = async () => [textsTo(phone), await column(states, uuidOf(threadId))];
      return [look, [['Здравствуйте!'], ['answered']]];
    },
  },
  'send-queues': {
    due: async ({ account }) => {
      const phone = newPhone();
      const threadId = await account.addThread({ phone });
      const id = await account.addMessage(threadId, {
        role: 'SYSTEM',
        status: 'queued',
        text: 'Заказ готов',
      });
      await query(
        `UPDATE messages SET recipient = $2, content = '{"type":"text","text":"Заказ готов"}' WHERE id = $1`,
        ...[id, phone],
      );
      const look = async () => [
        textsTo(phone),
        await column('SELECT status FROM messages WHERE id = $1', id),
      ];
      return [look, [['Заказ готов'], ['sent']]];
    },
  },
  'inbound-webhooks': {
    due: async ({ account, number }) => {
      const phone = newPhone();
      const threadId = await account.addThread({ phone, aiEnabled: false });
      const message = number.message({ phone: phone.slice(1) }, account.id);
      expect((await postCloud(scene.server, cloudBody([message]))).status).toBe(200);
      const texts = 'SELECT text FROM messages WHERE thread_id = $1';
      return [() => column(texts, uuidOf(threadId)), [account.id]];
    },
  },
  media: {
    due: async ({ account }) => {
      const file = `file-of-${account.id}`;
      scene.both.has(file, Buffer.from('%PDF-1.4\n%%EOF'), 'application/pdf');
      const threadId = await account.addThread({ aiEnabled: false });
      const message = await account.addMessage(threadId, { type: 'document' });
      const [media] = await column(
        `INSERT INTO media (account_id, id, kind, state, bot_id, channel, provider_ref, due_at)
         VALUES ($1, gen_random_uuid(), 'document', 'loading', $2, 'waba_coexistence', $3, clock_timestamp()) RETURNING id`,
        ...[account.id, account.botId, file],
      );
      await query('UPDATE messages SET media_id = $2 WHERE id = $1', message, media);
      const state = 'SELECT state FROM media WHERE id = $1';
      const told = 'SELECT count(*)::int FROM events WHERE thread_id = $1';
      const look = async () => [...(await column(state, media)), ...(await column(told, uuidOf(threadId)))];
      return [look, ['stored', 1]];
    },
  },
  transcripts: {
    due: async ({ account }) => {
      const bytes = Buffer.concat([opus(3), Buffer.from(account.id)]);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const folder = join(scene.folder, account.id, sha256.slice(0, 2));
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, sha256), bytes);
      await scene.model.hear({ text: 'Позвоните', when: account.id, times: null });
      const threadId = await account.addThread({ aiEnabled: false });
      const message = await account.addMessage(threadId, { type: 'audio' });
      await query(
        `INSERT INTO media_files (account_id, sha256, size, claim_until) VALUES ($1, $2, $3, now() + interval '1 hour')`,
        ...[account.id, sha256, bytes.length],
      );
      const [media] = await column(
        `INSERT INTO media (account_id, id, kind, state, mime_type, sha256, size, transcript_state, transcript_due_at)
         VALUES ($1, gen_random_uuid(), 'voice', 'stored', 'audio/ogg', $2, $3, 'pending', clock_timestamp()) RETURNING id`,
        ...[account.id, sha256, bytes.length],
      );
      await query('UPDATE messages SET media_id = $2 WHERE id = $1', message, media);
      const text = 'SELECT transcript_text FROM media WHERE id = $1';
      const told = 'SELECT type FROM events WHERE thread_id = $1';
      const look = async () => [...(await column(text, media)), ...(await column(told, uuidOf(threadId)))];
      return [look, ['Позвоните', 'message_transcribed']];
    },
  },
  scenarios: {
    due: async ({ account, api }) => {
      const [, stage, next] = account.stages;
      const threadId = await account.addThread();
      const call = { kind: 'http', method: 'POST', url: calls.url, body: { of: threadId } };
      const steps = [call, { kind: 'set_status', status_id: next }];
      const made = await scene.admin.admin('POST', 'scenarios', { status_id: stage, name: 'calls', steps });
      expect(made.status).toBe(201);
      await api.setStatus({ thread_id: threadId, status_id: stage });
      const look = async () => [
        await column('SELECT state FROM scenario_runs WHERE thread_id = $1', uuidOf(threadId)),
        calls.ledger.filter(({ body }) => body.includes(threadId)).length,
        await moves(threadId),
      ];
      return [look, [['done'], 1, [stage, next]]];
    },
  },
  'webhooks-out': {
    due: async ({ account, endpoint }) => {
      const log = `SELECT seq::int FROM events WHERE account_id = $1 AND type = 'status' ORDER BY seq`;
      const look = async () => {
        const logged = await column(log, account.id);
        // It is sent again where nobody knows whether it came, and known by its id.
        const arrived = endpoint.accepted.map(({ data }) => data.seq).toSorted((a, b) => a - b);
        return isDeepStrictEqual(arrived, logged) || { arrived, logged };
      };
      return [look, true];
    },
  },
  'archived-stages': {
    due: async ({ account }) => {
      const [, , next, archived] = account.stages;
      const threadId = await account.addThread({ statusId: archived });
      await query(
        `UPDATE statuses SET archived_at = now(), moved_to = $2, emptying_until = now(),
                archived_by = '{"actor": {"kind": "system"}, "request_id": null}' WHERE id = $1`,
        ...[archived, next],
      );
      const look = async () => [
        await moves(threadId),
        await column('SELECT id FROM statuses WHERE emptying_until IS NOT NULL AND id = $1', archived),
      ];
      return [look, [[next], []]];
    },
  },
  'thread-search': {
    due: async ({ account }) => {
      const threadId = await account.addThread();
      await account.addMessage(threadId, { text: 'бирюза' });
      const found = `SELECT words::text LIKE '%бирюз%' FROM thread_search WHERE thread_id = $1`;
      return [() => column(found, uuidOf(threadId)), [true]];
    },
  },
  retention: {
    due: async ({ account }) => {
      const [threadId = ''] = await addUnusedDialogs(scene.database.pool, account, 1, account.id);
      await query('UPDATE accounts SET retention_days = 30 WHERE id = $1', account.id);
      const look = async () => [
        ...(await column('SELECT erased_at IS NOT NULL FROM threads WHERE id = $1', uuidOf(threadId))),
        ...(await column('SELECT count(*)::int FROM events WHERE thread_id = $1', uuidOf(threadId))),
      ];
      return [look, [true, 1]];
    },
  },
  figures: {
    due: async ({ account }) => {
      const behind = `SELECT count(*)::int FROM events e LEFT JOIN figure_positions p USING (account_id, assistant_id)
         WHERE account_id = $1 AND e.seq > coalesce(p.seq, 0)`;
      const twice = `SELECT count(*) - count(DISTINCT (thread_id, entered_at)) FROM figure_stays WHERE account_id = $1`;
      const look = async () => [
        ...(await column(behind, account.id)),
        ...(await column(twice, account.id)).map(Number),
      ];
      return [look, [0, 0]];
    },
  },
  imports: {
    due: async ({ account, api }) => {
      const phones = [newPhone(), newPhone()];
      const of = { assistant_id: account.assistantId, bot_id: account.botId, channel: 'waba_coexistence' };
      const begun = await new TransferClient(api).import(['phone', ...phones].join('\n'), of);
      const id = String(begun.body.data.import_id);
      const look = async () => [
        ...(await query('SELECT state, created_rows, moved_rows FROM imports WHERE id = $1', id)),
        (await column('SELECT id FROM threads WHERE phone = ANY ($1)', phones)).length,
      ];
      return [look, [{ state: 'done', created_rows: 2, moved_rows: 0 }, 2]];
    },
  },
};

async function addOwn(): Promise<Own> {
  const account = await AccountFixture.create(scene.database.pool, [{}, {}, {}, {}]);
  const endpoint = await EndpointReceiver.start();
  receivers.push(endpoint);
  const { body } = await scene.admin.admin('POST', 'webhook-endpoints', {
    ...{ account_id: account.id, url: endpoint.url, events: ['lead.status_changed'] },
  });
  endpoint.secret = String(body.data.secret);
  const number = await scene.addNumber(account);
  return { account, api: new ApiClient(scene.server.url, account.key), number, endpoint };
}

/** What is to be seen of each item. */
type Looks = Map<WorkName, () => Promise<void>>;

async function makeDue(own: Own): Promise<Looks> {
  const looks: Looks = new Map();
  for (const name of WORK_NAMES) {
    const [look, done] = await KINDS[name].due(own);
    looks.set(name, async () => expect(await look()).toEqual(done));
  }
  return looks;
}

const addHolding = ({ account }: Own): Promise<ServerProcess> =>
  scene.addServer({ ROLE: 'worker', ...injected('held-claims', { accountId: account.id }) });

/** Waits until a process has claimed an item of each kind. */
async function untilAllClaimed(server: ServerProcess): Promise<void> {
  const claimed = (): number => new Set(faultReports(server).map(({ about }) => about)).size;
  await eventually(
    async () => claimed() === WORK_NAMES.length,
    CLAIMED_WITHIN_MS,
    'not all was claimed',
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${server.output()}`);
  });
}

/** Whoever has these alone does them. The others may be done again with the same result, or within a transaction. */
const OF_ONE: readonly WorkName[] = [
  ...(['replies', 'send-queues', 'media', 'transcripts', 'scenarios', 'imports'] as const),
];

const LEASED = [
  'replies',
  'bot_channels',
  'webhook_deliveries',
  'media',
  'scenario_queues',
  'endpoint_queues',
  'imports',
];

/** By the database's clock. */
const leaseAllFor = async (seconds: number): Promise<void> => {
  const until = `clock_timestamp() + interval '${seconds} s'`;
  for (const table of LEASED)
    await query(`UPDATE ${table} SET lease_until = ${until} WHERE lease_token IS NOT NULL`);
};

/** Whose an account's claims are. */
const claimsOf = async ({ account }: Own): Promise<unknown[]> => {
  const tables = LEASED.filter((table) => table !== 'webhook_deliveries');
  const tokens = tables.map(
    (table) => `SELECT lease_token::text AS token FROM ${table} WHERE account_id = $1`,
  );
  const until = 'SELECT erasing_until::text FROM accounts WHERE id = $1';
  return column(
    `SELECT token FROM (${[...tokens, until].join(' UNION ALL ')}) t WHERE token IS NOT NULL ORDER BY 1`,
    account.id,
  );
};

/** How often a process has run each kind of work, as it says itself. */
async function runsOf(server: ServerProcess): Promise<Map<string, number>> {
  const runs = new Map<string, number>();
  const text = await metricsOf(server);
  for (const [, name = '', count] of text.matchAll(/^leadline_work_total\{work="([^"]+)".*\} (\d+)$/gm))
    runs.set(name, (runs.get(name) ?? 0) + Number(count));
  return runs;
}

const untilThrough = (server: ServerProcess, before: ReadonlyMap<string, number>) =>
  eventually(
    async () => {
      const runs = await runsOf(server);
      return WORK_NAMES.every((name) => (runs.get(name) ?? 0) > (before.get(name) ?? 0));
    },
    TAKEN_OVER_WITHIN_MS,
    'it did not go on with all that it had',
  );

/** Two minutes. The end of such a claim is its token too. A dialog that was locked meanwhile has been put off. */
async function endRetentionClaims(): Promise<void> {
  await query('UPDATE accounts SET erasing_until = clock_timestamp() WHERE erasing_until IS NOT NULL');
  await query('UPDATE erasure_retries SET due_at = clock_timestamp()');
}

/** As the database does with transactions that are idle for seconds. */
const endIdleTransactions = (): Promise<unknown> =>
  query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle in transaction'`);

/** @returns what is wrong with each kind that was not done, once */
async function outcomes(looks: Looks): Promise<Map<WorkName, string | null>> {
  const end = performance.now() + TAKEN_OVER_WITHIN_MS;
  const found = [...looks].map(async ([name, look]): Promise<[WorkName, string | null]> => {
    let wrong: string | null = '';
    const isDone = async () => {
      wrong = await look().then(
        () => null,
        (error: unknown) => String(error),
      );
      return wrong === null;
    };
    await eventually(isDone, Math.max(1, end - performance.now()), name).catch(() => undefined);
    return [name, wrong];
  });
  return new Map(await Promise.all(found));
}

const FATES = ['killed', 'frozen'] as const;
const wrong = new Map<(typeof FATES)[number], Map<WorkName, string | null>>();
/** What a process did that went on with work which another one had by then. */
const doneByFrozen: WorkName[] = [];
let isThrough: boolean;
let claimsLost: boolean;
let exitCode: number | null;

const isRight = (look: () => Promise<void>): Promise<boolean> =>
  look().then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  calls = await StandInProvider.open();
  const [first, second] = [await addOwn(), await addOwn()];
  const ofFirst = await makeDue(first);
  const killed = await addHolding(first);
  await untilAllClaimed(killed);
  await killed.kill('SIGKILL');
  await endRetentionClaims();

  const frozen = await addHolding(second);
  await outcomes(ofFirst);
  const ofSecond = await makeDue(second);
  await untilAllClaimed(frozen);
  const before = await runsOf(frozen);
  await frozen.kill('SIGSTOP');
  await leaseAllFor(0);
  await endRetentionClaims();
  await endIdleTransactions();
  const heir = await addHolding(second);
  await untilAllClaimed(heir);
  await leaseAllFor(3_600);
  const claims = await claimsOf(second);
  process.kill(frozen.pid, 'SIGUSR2');
  await frozen.kill('SIGCONT');
  isThrough = await untilThrough(frozen, before).catch(() => false);
  for (const [name, look] of ofSecond) if (await isRight(look)) doneByFrozen.push(name);
  claimsLost = !isDeepStrictEqual(await claimsOf(second), claims);
  exitCode = await frozen.stop();
  await leaseAllFor(3);
  process.kill(heir.pid, 'SIGUSR2');
  await outcomes(ofSecond);
  // What the frozen process held when it went on has its two minutes, or was put off.
  await endRetentionClaims();
  wrong.set('killed', await outcomes(ofFirst));
  wrong.set('frozen', await outcomes(ofSecond));
});

afterAll(async () => {
  await calls?.close();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

describe.each(FATES)('work of a process that is %s', (fate) => {
  it.each(WORK_NAMES)('is done once, by another one: %s', (name) => {
    expect(wrong.get(fate)?.get(name)).toBeNull();
  });
});

it('a process that goes on beyond its leases leaves others their claims, and what they do', () => {
  expect([isThrough, claimsLost, exitCode]).toEqual([true, false, 0]);
  expect(doneByFrozen.filter((name) => OF_ONE.includes(name))).toEqual([]);
});
