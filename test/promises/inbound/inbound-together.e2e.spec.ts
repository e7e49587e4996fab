import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ApiClient } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually, inTime } from '../../support/eventually';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { LONG_WAITS } from '../../support/programs/test.limits';
import { setInboundScene, somePhone } from '../../support/scenes/inbound.scene';
import { cloudBody, CloudNumber, type Customer } from '../../support/stand-ins/cloud.webhooks';
import { ScriptedProvider } from '../../support/stand-ins/scripted.provider';

/** Statements wait for a lock for far longer than what is done at once takes. */
const scene = setInboundScene({ environment: LONG_WAITS });

scene.withStandIns(async () => {
  const provider = await ScriptedProvider.start();
  scene.whenClosed(() => provider.stop());
  return provider.environment;
});

/** Enough that some of their messages share the first statement with the one that waits. */
const KNOWN = 5;
/** What took less has not waited for the one that waits. */
const AT_ONCE_MS = 8_000;

let other: AccountFixture;
let otherNumber: CloudNumber;

beforeAll(async () => {
  other = await AccountFixture.create(scene.database.pool);
  otherNumber = await scene.addNumber(other);
});

const writers = (): Customer[] => Array.from({ length: KNOWN }, () => ({ phone: somePhone() }));

/** Their dialogs, each with one message, in their order. */
async function known(number: CloudNumber, customers: readonly Customer[]): Promise<string[]> {
  await scene.tell(...customers.map((customer) => number.message(customer, 'раньше')));
  return Promise.all(customers.map(async ({ phone }) => (await scene.dialog(`+${phone}`)).id));
}

/** A list that has opened a customer's dialog and has not committed. */
async function listOpens(contact: string, userId: string | null = null): Promise<Client> {
  const client = new Client({
    connectionString: scene.database.url,
    application_name: 'leadline test: list',
  });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = ${AT_ONCE_MS}`);
  await client.query(
    `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, user_id, created_at)
     SELECT account_id, $1, assistant_id, id, 'waba_coexistence', $2, $2, $3, clock_timestamp() FROM bots WHERE id = $4`,
    [randomUUID(), contact, userId, scene.account.botId],
  );
  return client;
}

async function committed(list: Client): Promise<void> {
  try {
    await list.query('COMMIT');
  } finally {
    await list.end();
  }
}

const newTexts = async (text: string): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE text = $1',
    [text],
  );
  return rows[0]?.n ?? 0;
};

/** Switches agents of the other account off, each at once. */
async function switchOff(threads: readonly string[]): Promise<void> {
  const api = new ApiClient(scene.server.url, other.key);
  const begun = performance.now();
  const answers = await Promise.all(threads.map((id) => api.setAi(`thread_${id}`, false)));
  expect(answers.map(({ status }) => status)).toEqual(threads.map(() => 200));
  expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
}

it.each([
  ['first message', 'первое', false],
  ['user id', 'с именем', true],
])('a %s that waits for a list holds no dialog of another account', async (_what, text, byUserId) => {
  const theirs = writers();
  const threads = await known(otherNumber, theirs);
  const phone = somePhone();
  const customer = byUserId ? { phone, userId: `KZ.${phone}` } : { phone };
  if (byUserId) await known(scene.number, [{ phone }]);
  const list = await listOpens(`+${byUserId ? somePhone() : phone}`, customer.userId);
  try {
    const messages = theirs.map((their) => otherNumber.message(their, text));
    await scene.post(cloudBody([scene.number.message(customer, text), ...messages]));
    await untilWaiting(scene.database.pool, 1);
    await switchOff(threads);
  } finally {
    await committed(list);
  }
  await scene.taken();
  expect(await newTexts(text)).toBe(KNOWN + 1);
});

it('a first message that waits for a list holds up no first message of another account', async () => {
  const text = 'новый';
  const phone = somePhone();
  const list = await listOpens(`+${phone}`);
  const theirs = writers();
  const stored = async (): Promise<boolean> => (await newTexts(text)) === KNOWN;
  try {
    const messages = theirs.map((their) => otherNumber.message(their, text));
    const begun = performance.now();
    await scene.post(cloudBody([scene.number.message({ phone }, text), ...messages]));
    await eventually(stored, AT_ONCE_MS, 'the other account did not get its messages');
    expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
  } finally {
    await committed(list);
  }
  await scene.taken();
  expect(await newTexts(text)).toBe(KNOWN + 1);
});

it('a list that opens a dialog and then takes a known one meets no deadlock with their messages', async () => {
  const text = 'без круга';
  const customers = writers();
  const threads = await known(scene.number, customers);
  const phone = somePhone();
  const list = await listOpens(`+${phone}`);
  try {
    const messages = customers.map((customer) => scene.number.message(customer, text));
    await scene.post(cloudBody([scene.number.message({ phone }, text), ...messages]));
    await untilWaiting(scene.database.pool, 1);
    await list.query('SELECT 1 FROM threads WHERE id = ANY($1::uuid[]) FOR NO KEY UPDATE', [threads]);
  } finally {
    await committed(list);
  }
  await scene.taken();
  expect(await newTexts(text)).toBe(KNOWN + 1);
});

/** In one webhook: more than the process has connections. */
const FLOOD = 150;
/** Of the process at once, for what cannot be taken in. */
const CONNECTIONS = 3;

it('a flood of items that nobody can take in, none of which can be stored, holds up no webhook, no send and no set-ai', async () => {
  const { pool } = scene.database;
  const strangers = new CloudNumber('1');
  const thread = await scene.account.addThread();
  const sender = await AccountFixture.create(pool);
  await sender.connect();
  await scene.taken();
  const rejects = async (): Promise<number> => (await scene.rejects()).length;
  const before = await rejects();
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE webhook_rejects IN SHARE MODE');
    const flood = Array.from({ length: FLOOD }, (_, index) =>
      strangers.message({ phone: String(77_020_000_000 + index) }, 'x'),
    );
    await scene.post(cloudBody(flood));
    await untilWaiting(pool, CONNECTIONS, { words: 'INSERT INTO webhook_rejects' });
    const begun = performance.now();
    const [, sent, off] = await Promise.all([
      scene.post(cloudBody([scene.number.message({ phone: somePhone() }, 'не ждёт чужих')])),
      scene.apiAt(0, sender.key).sendTemplate({
        ...{ bot_id: sender.botId, channel: 'waba_coexistence', template_id: 'order_ready' },
        to: { phone: `+${somePhone()}` },
      }),
      scene.api.setAi(thread, false),
    ]);
    expect([sent.status, off.status]).toEqual([200, 200]);
    const isStored = async (): Promise<boolean> => (await newTexts('не ждёт чужих')) === 1;
    await eventually(isStored, AT_ONCE_MS, 'the message was not taken in');
    const { rows } = await pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND query LIKE '%INSERT INTO webhook_rejects%'`,
    );
    expect(rows).toEqual([{ n: CONNECTIONS }]);
    expect(performance.now() - begun).toBeLessThan(inTime(AT_ONCE_MS));
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  await scene.taken();
  expect(await rejects()).toBe(before + FLOOD);
});
