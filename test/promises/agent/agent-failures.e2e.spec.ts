import { formatThreadId } from '@app/contracts/uuid.format';
import { ApiClient } from '../../support/clients/api.client';
import type { Customer } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import type { GivenReply } from '../../support/stand-ins/model.script';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { RowLock } from '../../support/faults/row.lock';
import { uuidOf } from '../../support/database/thread.uuid';
import { untilWaiting } from '../../support/faults/waiting.sessions';

/** Three tries and the back-offs between them. */
const GIVEN_UP_MS = 30_000;
const HANGING = 40;
const CALLS = 6;
/** How many replies of one account are under way at once. */
const AT_ONCE = 20;
/** With that many more replies due, more than one sweep finds. */
const FULL_ACCOUNTS = 26;

const scene = setReplyScene({
  servers: 2,
  stages: [{}, {}],
  environment: { AI_REPLIES_PER_ACCOUNT: String(AT_ONCE) },
});

type Person = Customer & { phone: string };

/** Somebody writes to whom the model does, as often as it is asked, what is given. */
async function writes(reply: GivenReply): Promise<{ customer: Person; thread: string }> {
  const customer = newCustomer();
  await scene.model.reply({ times: null, ...reply, when: customer.phone });
  return { customer, thread: await scene.write(customer, `Вопрос ${customer.phone}`) };
}

/** Customers to whose messages the model never answers anything. */
async function hanging(count: number): Promise<string[]> {
  await scene.model.reply({ act: 'hang', when: '#висит', times: null });
  const customers = Array.from({ length: count }, newCustomer);
  await scene.tell(...customers.map((customer) => scene.number.message(customer, '#висит')));
  const dialogs = await scene.dialogs();
  return customers.map(({ phone }) => `thread_${dialogs.find(({ contact }) => contact === `+${phone}`)?.id}`);
}

async function untilAsked(count: number): Promise<void> {
  await eventually(
    async () => (await scene.model.requests('#висит')).filter(({ end }) => end === null).length >= count,
    10_000,
    `the model did not hang ${count} times`,
  );
}

/** Silences the dialogs, so that nothing of them is left under way. */
async function silence(threads: readonly string[]): Promise<void> {
  await scene.model.clear();
  await Promise.all(threads.map((thread) => scene.api.setAi(thread, false)));
  for (const thread of threads) await scene.untilQuiet(uuidOf(thread));
}

/** The log's line about a dialog that begins so, on whatever process. */
function lineOf(threadId: string, words: string): Record<string, unknown> | undefined {
  const lines = scene.servers.flatMap((server) => server.output().split('\n'));
  const found = lines.find((line) => line.includes(threadId) && line.includes(words));
  return found === undefined ? undefined : (JSON.parse(found) as Record<string, unknown>);
}

const percentile99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0;

describe('a number whose credential does not open', () => {
  it('asks for an operator at once', async () => {
    const botId = await scene.account.addBot();
    const number = await scene.addNumber(scene.account, botId);
    await scene.database.pool.query(
      `UPDATE bot_channels SET credential = set_byte(credential, 30, get_byte(credential, 30) # 1) WHERE bot_id = $1`,
      [botId],
    );
    const customer = newCustomer();
    await scene.tell(number.message(customer, 'Вопрос'));
    const { id: thread } = await scene.dialog(`+${customer.phone}`);
    await scene.untilTold(thread, 10_000);
    expect(await scene.told(thread)).toEqual(['attention channel']);
    expect(await scene.replies(thread)).toMatchObject([{ state: 'failed', parts: 0, attempts: 1 }]);
    expect(scene.said(customer)).toEqual([]);
    expect(lineOf(formatThreadId(thread), 'credential')).toMatchObject({ bot_id: botId, level: 'error' });
  });
});

describe('a model that fails', () => {
  it('to say anything that can be seen is asked again', async () => {
    const customer = newCustomer();
    await scene.model.reply(
      ...['[operator] \u200b', 'Открыто.'].map((text) => ({ text, when: customer.phone })),
    );
    const thread = await scene.write(customer, `Вопрос ${customer.phone}`);
    await scene.untilSaidAtLast(customer, thread);
    await scene.untilQuiet(thread);
    expect(scene.textsTo(customer)).toEqual(['Открыто.']);
  });

  it('is asked three times: then an operator is, nothing was said, and others are answered meanwhile', async () => {
    const { customer, thread } = await writes({ status: 503 });
    const other = newCustomer();
    await scene.write(other, 'Вопрос');
    await scene.untilSaid(other, 1);
    expect(await scene.told(thread)).toEqual([]);
    await scene.untilTold(thread, GIVEN_UP_MS);
    expect(await scene.told(thread)).toEqual(['attention model']);
    expect(await scene.replies(thread)).toMatchObject([{ state: 'failed', parts: 0, attempts: 3 }]);
    expect(await scene.model.requests(customer.phone)).toHaveLength(3);
    expect(scene.said(customer)).toEqual([]);
  });

  it('by asking to come back after an hour is asked again after a minute', async () => {
    const { thread } = await writes({ status: 429, retry_after: 3_600 });
    const rest = await eventually(
      async () => {
        const { rows } = await scene.database.pool.query<{ rest: number }>(
          `SELECT extract(epoch FROM due_at - clock_timestamp())::float8 AS rest FROM replies
            WHERE thread_id = $1 AND attempts = 1 AND lease_token IS NULL`,
          [thread],
        );
        return rows[0]?.rest;
      },
      10_000,
      'the reply was not put off',
    );
    await scene.api.setAi(`thread_${thread}`, false);
    expect(rest).toBeLessThanOrEqual(60);
    expect(rest).toBeGreaterThan(50);
  });

  it('for good asks for an operator, with a line of the log; the handler stays AI and the next message is answered', async () => {
    const { customer, thread } = await writes({ status: 401, times: 1 });
    const line = await eventually(
      () => Promise.resolve(lineOf(thread, 'A reply failed')),
      10_000,
      'no line of the log tells of the dialog',
    );
    expect(line).toMatchObject({ thread_id: `thread_${thread}`, attempts: 1 });
    expect(JSON.stringify(line)).not.toContain(customer.phone);
    // What its server said follows the end in the log, for admins.
    await scene.untilTold(thread, 10_000);
    const { rows } = await scene.database.pool.query<{ type: string; version: string; words: string }>(
      `SELECT type, version, body ->> 'note' AS words FROM events
        WHERE thread_id = $1 AND type IN ('attention', 'model_error') ORDER BY version`,
      [thread],
    );
    expect(rows.map(({ type }) => type)).toEqual(['attention', 'model_error']);
    expect(Number(rows[1]?.version)).toBe(Number(rows[0]?.version) + 1);
    expect(rows[1]?.words).toMatch(/\S/);
    expect((await scene.api.getLead(`thread_${thread}`)).body.data.message_handler).toBe('AI');
    await scene.write(customer, 'Ещё раз');
    await scene.untilSaid(customer, 1);
  });

  it('asks for no operator when another process has the reply by then', async () => {
    const { thread } = await writes({ status: 401, delay_ms: 500 });
    const lock = await RowLock.take(scene.database, `thread_${thread}`);
    await untilWaiting(scene.database.pool, 1, { words: "$5 = 'discarded'" });
    await scene.database.pool.query(
      `UPDATE replies SET lease_token = gen_random_uuid(), state = 'answered' WHERE thread_id = $1`,
      [thread],
    );
    await lock.release();
    // A statement that holds the row now has waited for the end that came before.
    await (await RowLock.take(scene.database, `thread_${thread}`)).release();
    expect(await scene.told(thread)).toEqual([]);
    // Its lease would take one of the account's slots for ten seconds.
    await scene.database.pool.query(
      'UPDATE replies SET lease_token = NULL, lease_until = NULL WHERE thread_id = $1',
      [thread],
    );
  });

  it('by never ending is stopped and asked three times: then an operator is, and nothing was said', async () => {
    await scene.database.pool.query('UPDATE assistants SET reply_characters_max = 200');
    const { customer, thread } = await writes({ act: 'endless', text: 'Ещё одно предложение без конца. ' });
    await scene.untilTold(thread, GIVEN_UP_MS);
    await scene.database.pool.query('UPDATE assistants SET reply_characters_max = 2000');
    expect(await scene.told(thread)).toEqual(['attention model']);
    expect(scene.said(customer)).toEqual([]);
    const asked = await scene.model.requests(customer.phone);
    expect(asked.map(({ end }) => end)).toEqual(Array.from({ length: 3 }, () => 'client closed'));
  });
});

describe('a loop between two machines', () => {
  it('ends at the agent’s limit of replies in an hour, and an operator is asked for', async () => {
    await scene.database.pool.query('UPDATE assistants SET replies_per_hour = 3');
    const customer = newCustomer();
    await scene.model.reply({ text: 'Я тоже машина.', when: 'Автоответ', times: 3 });
    let thread = '';
    for (let n = 1; n <= 3; n++) {
      thread = await scene.write(customer, `Автоответ ${n}`);
      await scene.untilSaid(customer, n);
      await scene.untilQuiet(thread);
    }
    await scene.write(customer, 'Автоответ 4');
    await eventually(async () => (await scene.told(thread)).length > 0, 10_000, 'nobody was asked for');
    await scene.untilQuiet(thread);
    await scene.database.pool.query('UPDATE assistants SET replies_per_hour = 60');
    expect(await scene.told(thread)).toEqual(['attention limit']);
    expect(scene.said(customer)).toHaveLength(3);
  });
});

describe('dialogs whose model hangs', () => {
  let threads: string[] = [];

  beforeAll(async () => {
    threads = await hanging(HANGING);
    await untilAsked(AT_ONCE);
  });

  afterAll(() => silence(threads));

  it('slow nothing down, and no transaction is open meanwhile', async () => {
    const free = await Promise.all(Array.from({ length: CALLS }, () => scene.account.addThread()));
    const calls: [string, (thread: string, n: number) => Promise<{ status: number }>][] = [
      ['get-lead', (thread, n) => scene.apiAt(n).getLead(thread)],
      [
        'set-status',
        (thread_id, n) => scene.apiAt(n).setStatus({ thread_id, status_id: scene.stage(n % 2) }),
      ],
      ['get-threads', (_, n) => scene.apiAt(n).getThreads()],
      ['send-text', (thread, n) => scene.apiAt(n).sendText(thread, 'Это человек.')],
      ['set-ai', (thread, n) => scene.apiAt(n).setAi(thread, n % 2 === 0)],
    ];
    const figures: Record<string, number> = {};
    for (const [name, call] of calls) {
      const times: number[] = [];
      for (const [n, thread] of free.entries()) {
        const begun = performance.now();
        expect((await call(thread, n)).status).toBe(200);
        times.push(performance.now() - begun);
      }
      figures[name] = Math.round(percentile99(times));
    }
    process.stdout.write(`p99 in ms beside ${HANGING} hanging dialogs: ${JSON.stringify(figures)}\n`);
    // Half a second is promised. A machine that also runs other tests may take longer.
    expect(Object.entries(figures).filter(([, ms]) => ms >= 2_000)).toEqual([]);
    const idle = `SELECT query FROM pg_stat_activity WHERE datname = current_database()
                     AND state LIKE 'idle in transaction%' AND state_change < clock_timestamp() - interval '200 ms'`;
    // Dialogs hang all the time: none of them holds a transaction meanwhile.
    const isFree = async (): Promise<boolean> => (await scene.database.pool.query(idle)).rows.length === 0;
    await eventually(isFree, 5_000, 'a transaction was held');
  });

  it('are not all under way at once', async () => {
    const requests = await scene.model.requests('#висит');
    const underWay = requests.filter(({ end }) => end === null).length;
    process.stdout.write(`${underWay} of ${HANGING} hanging dialogs were in the making\n`);
    expect(underWay).toBeGreaterThanOrEqual(AT_ONCE);
    // Claims that meet count without each other.
    expect(underWay).toBeLessThan(1.5 * AT_ONCE);
  });

  it('and many accounts whose agents have their fill keep no customer of another account waiting', async () => {
    const full = await Promise.all(
      Array.from({ length: FULL_ACCOUNTS }, () => AccountFixture.create(scene.database.pool)),
    );
    await scene.database.pool.query(
      `WITH full_threads AS (
         INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact)
         SELECT b.account_id, gen_random_uuid(), b.assistant_id, b.id, 'waba', '+' || (7701000000 + n)
           FROM bots b CROSS JOIN generate_series(1, $2::int) n WHERE b.account_id = ANY ($1::uuid[])
         RETURNING account_id, id)
       INSERT INTO replies (account_id, thread_id, message_id, epoch, due_at, lease_token, lease_until)
       SELECT account_id, id, gen_random_uuid(), 0, clock_timestamp() - interval '1 minute',
              CASE WHEN held THEN gen_random_uuid() END, CASE WHEN held THEN clock_timestamp() + interval '1 minute' END
         FROM (SELECT *, row_number() OVER (PARTITION BY account_id) <= $3 AS held FROM full_threads) t`,
      [full.map(({ id }) => id), 2 * AT_ONCE, AT_ONCE],
    );
    const account = await AccountFixture.create(scene.database.pool);
    const number = await scene.addNumber(account);
    const customer = newCustomer();
    const begun = performance.now();
    await scene.tell(number.message(customer, 'Вопрос'));
    await scene.untilSaid(customer, 1);
    process.stdout.write(`another account was answered in ${Math.round(performance.now() - begun)} ms\n`);
    const { body } = await new ApiClient(scene.server.url, account.key).getThreads();
    expect(body.data.threads).toHaveLength(1);
    await scene.database.pool.query('DELETE FROM replies WHERE account_id = ANY ($1::uuid[])', [
      full.map(({ id }) => id),
    ]);
  });
});
