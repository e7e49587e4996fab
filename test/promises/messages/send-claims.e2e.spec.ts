import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { AccountFixture, addAdminKey, CREDENTIAL } from '../../support/database/fixture';
import { OWN_TIMES, SHORT_TIMES } from '../../support/programs/test.limits';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { accept, refuse, type ReceivedSend, type Script } from '../../support/stand-ins/scripted.provider';
import type { ServerProcess } from '../../support/programs/server.process';
import { businessOf } from '../../support/stand-ins/provider.numbers';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';

/** Longer than any test here: what becomes unknown does so because the test moves its deadline. */
const TIMEOUT_MS = 20_000;
const scene = setSendScene({
  environment: { PROVIDER_TIMEOUT_MS: String(TIMEOUT_MS), ...SHORT_TIMES },
});

interface Held {
  id: string;
  /** Lets the provider answer at last. */
  answer: (script: Script) => Promise<void>;
}

/** One recipient of a list, whose request the provider holds. */
async function heldRequest(): Promise<Held> {
  const phone = newPhone();
  const held = Promise.withResolvers<[ServerResponse, ReceivedSend]>();
  scene.provider.on(phone, (response, received) => held.resolve([response, received]));
  void scene.send([{ phone }]).catch(() => undefined);
  const [response, received] = await held.promise;
  scene.provider.on(phone, accept);
  return {
    id: received.reference ?? '',
    answer: async (script) => {
      await script(response, received, 1);
      await new Promise((resolve) => response.once('close', resolve));
    },
  };
}

const change = async (id: string, set: string): Promise<void> => {
  const { rowCount } = await scene.database.pool.query(`UPDATE messages SET ${set} WHERE id = $1`, [id]);
  expect(rowCount).toBe(1);
};

/** A list by an account's number, of which the first messages are sent. Its answer is not checked. */
async function beginList(account: AccountFixture, count: number, server = 0): Promise<void> {
  const to = newPhones(count).map((phone) => ({ phone }));
  const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready', to };
  void scene
    .apiAt(server, account.key)
    .sendTemplate(order)
    .catch(() => undefined);
  await eventually(async () => (await countOf(account.id, ['sent'])) >= 40, 10_000, 'the list did not begin');
}

const PASSED = `claim_until = clock_timestamp() - interval '1 s'`;

/** What came before a message that is sent now is kept by then: outcomes are stored in their order. */
const afterOthers = async (): Promise<void> => {
  expect((await scene.send([{ phone: newPhone() }])).body.data.sent).toBe(1);
};

describe('an answer that comes after the claim’s deadline', () => {
  it('settles its message when it is of the same attempt', async () => {
    const { id, answer } = await heldRequest();
    await change(id, PASSED);
    await scene.untilStatus(id, 'unknown');
    await answer(accept);
    await scene.untilStatus(id, 'sent');
  });

  it('gives the quota of its message back when it is a refusal', async () => {
    const used = await scene.account.quotaUsed();
    const { id, answer } = await heldRequest();
    await change(id, PASSED);
    await scene.untilStatus(id, 'unknown');
    expect(await scene.account.quotaUsed()).toBe(used + 1);
    await answer(refuse(400, 131026));
    await scene.untilStatus(id, 'failed');
    expect(await scene.account.quotaUsed()).toBe(used);
  });

  it('gives it back once, too, when a person has said meanwhile that it failed, which stays', async () => {
    const used = await scene.account.quotaUsed();
    const { id, answer } = await heldRequest();
    await change(id, PASSED);
    await scene.untilStatus(id, 'unknown');
    expect((await scene.api.settleMessage(id, 'failed')).body.data).toMatchObject({ changed: true });
    expect(await scene.account.quotaUsed()).toBe(used + 1);
    await answer(refuse(400, 131026));
    const isBack = async () => (await scene.account.quotaUsed()) === used;
    await eventually(isBack, 10_000, 'the quota was not given back');
    expect(await scene.statusOf(id)).toBe('failed');
  });

  it('changes nothing when the message is another attempt’s by now', async () => {
    const { id, answer } = await heldRequest();
    await change(id, `claim_token = gen_random_uuid()`);
    await answer(accept);
    await afterOthers();
    expect(await scene.statusOf(id)).toBe('sending');
    await change(id, PASSED);
    await scene.untilStatus(id, 'unknown');
  });

  it('puts nothing back into the queue that was unknown, though the provider says that it is too early', async () => {
    const { id, answer } = await heldRequest();
    await change(id, PASSED);
    await scene.untilStatus(id, 'unknown');
    const before = scene.provider.ledger.length;
    await answer(refuse(400, 131056, { 'Retry-After': '0' }));
    await afterOthers();
    expect(await scene.statusOf(id)).toBe('unknown');
    expect(scene.provider.ledger).toHaveLength(before + 1);
  });
});

async function countOf(accountId: string, statuses: string[]): Promise<number> {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE account_id = $1 AND status = ANY ($2)',
    [accountId, statuses],
  );
  return rows[0]?.n ?? 0;
}

describe('a process whose number is not its own any more', () => {
  /** Between two claims of their messages. @returns how many each has claimed so far */
  async function takeAway(accounts: readonly AccountFixture[], sets: readonly string[]): Promise<number[]> {
    const holder = await scene.database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE messages IN EXCLUSIVE MODE');
      for (const [n, { id }] of accounts.entries())
        await holder.query(`UPDATE bot_channels SET ${sets[n]} WHERE account_id = $1`, [id]);
      return await Promise.all(accounts.map(({ id }) => countOf(id, ['sending', 'sent'])));
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
  }

  it('claims nothing more, whether another process has it or it is paused', async () => {
    const later = `clock_timestamp() + interval '1 h'`;
    const sets = [`lease_token = gen_random_uuid(), lease_until = ${later}`, `paused_until = ${later}`];
    const accounts = await Promise.all(sets.map(() => AccountFixture.create(scene.database.pool)));
    for (const account of accounts) await account.connect('waba_coexistence', { perSecond: 40 });
    await Promise.all(accounts.map((account) => beginList(account, 300)));
    const claimed = await takeAway(accounts, sets);
    const underWay = async () =>
      (await Promise.all(accounts.map(({ id }) => countOf(id, ['sending'])))).every((count) => count === 0);
    await eventually(underWay, 10_000, 'it goes on');
    // Long enough for it to have looked for more, had it gone on.
    for (let sweeps = 1; sweeps <= 2; sweeps++) await untilSwept();
    for (const [n, { id }] of accounts.entries()) {
      const [ours, queued] = [await countOf(id, ['sending', 'sent']), await countOf(id, ['queued'])];
      expect([sets[n], ours <= (claimed[n] ?? 0), queued > 0]).toEqual([sets[n], true, true]);
    }
  });
});

/** Messages of a list that was stored before, each to another customer. */
async function queueMany(account: AccountFixture, count: number): Promise<void> {
  await scene.database.pool.query(
    `WITH opened AS (
       INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone)
       SELECT $1, gen_random_uuid(), $2, $3, 'waba_coexistence', n::text, '+77' || n FROM generate_series(100000, 99999 + $4) n
       RETURNING id, phone),
     counted AS (
       INSERT INTO quota_usage (account_id, month, used)
       SELECT $1, date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date, $4)
     INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, type, text, content, recipient, status, due_at, quota_month)
     SELECT $1, gen_random_uuid(), id, $3, 'waba_coexistence', 'SYSTEM', 'text', 'hello', '{"type":"text","text":"hello"}',
            phone, 'queued', clock_timestamp(), date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date
       FROM opened`,
    [account.id, account.assistantId, account.botId, count],
  );
}

describe('a number that is disconnected with more queued than one statement takes', () => {
  const MANY = IS_LONG ? 3_000 : 1_100;

  it('fails them all, at most five hundred by one statement, and gives their quota back once', async () => {
    const { pool } = scene.database;
    const account = await AccountFixture.create(pool);
    await account.connect();
    await pool.query(
      'UPDATE bot_channels SET credential = NULL, credential_key_id = NULL WHERE account_id = $1',
      [account.id],
    );
    await pool.query(`
      CREATE TABLE changed (n int);
      CREATE FUNCTION count_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO changed SELECT count(*) FROM now_so; RETURN NULL; END $$;
      CREATE TRIGGER counting AFTER UPDATE ON messages REFERENCING NEW TABLE AS now_so
        FOR EACH STATEMENT EXECUTE FUNCTION count_changed()`);
    await queueMany(account, MANY);
    await eventually(async () => (await countOf(account.id, ['failed'])) === MANY, 20_000, 'some are stuck');
    expect(await account.quotaUsed()).toBe(0);
    const { rows } = await pool.query<{ most: number }>('SELECT max(n) AS most FROM changed');
    expect(rows[0]?.most).toBeLessThanOrEqual(500);
    await pool.query('DROP TRIGGER counting ON messages');
  });
});

/** Until a sweep has found a message of another account, of which no process was notified. */
async function untilSwept(): Promise<void> {
  const account = await AccountFixture.create(scene.database.pool);
  await account.connect();
  await queueMany(account, 1);
  await eventually(async () => (await countOf(account.id, ['sent'])) === 1, 10_000, 'no sweep has passed');
}

describe('a number whose credential does not open', () => {
  const saysSo = (botId: string): string[] =>
    scene.server
      .output()
      .split('\n')
      .filter((line) => line.includes(botId));

  it('pauses and is reported once, nothing fails, and all is sent when the credential is entered again', async () => {
    const { pool } = scene.database;
    const account = await AccountFixture.create(pool);
    const sender = await account.connect();
    const formerKey = new AesChannelCipher('ab'.repeat(32));
    const { keyId, sealed } = formerKey.seal(CREDENTIAL, `${account.id}/${account.botId}/waba_coexistence`);
    const set = 'credential_key_id = $2, credential = $3';
    await pool.query(`UPDATE bot_channels SET ${set} WHERE account_id = $1`, [account.id, keyId, sealed]);
    await queueMany(account, 5);
    await eventually(async () => saysSo(account.botId).length > 0, 10_000, 'nobody was told');
    for (let sweeps = 1; sweeps <= 3; sweeps++) await untilSwept();
    expect(saysSo(account.botId)).toEqual([expect.stringContaining(`sealed by the key ${keyId}`)]);
    expect(saysSo(account.botId)[0]).toContain('waba_coexistence');
    expect(scene.server.output()).not.toContain(CREDENTIAL);
    expect(await countOf(account.id, ['queued'])).toBe(5);
    const admin = scene.apiAt(0, await addAdminKey(pool));
    const number = { sender, credential: CREDENTIAL, settings: { waba_id: businessOf(sender) } };
    const { status } = await admin.admin('PUT', `bots/${account.botId}/channels/waba_coexistence`, number);
    expect(status).toBe(200);
    await eventually(
      async () => (await countOf(account.id, ['sent'])) === 5,
      10_000,
      'its number is still paused',
    );
  });
});

describe('a process whose statements are seen', () => {
  const LISTED = 120;
  /** Of a number that sends forty a second, and claims two tenths of a second ahead. */
  const QUIET_MS = 1_000;

  /** Messages that are claimed, and of which the provider knows nothing. */
  async function claimedUnseen({ id }: AccountFixture): Promise<number> {
    const { rows } = await scene.database.pool.query<{ recipient: string }>(
      `SELECT recipient FROM messages WHERE account_id = $1 AND status = 'sending'`,
      [id],
    );
    const seen = scene.provider.counts();
    return rows.filter(({ recipient }) => !seen.has(recipient)).length;
  }

  let wire: DatabaseProxy;
  let server: ServerProcess;

  beforeAll(async () => {
    wire = await DatabaseProxy.start(scene.database.url);
    // With leases and sweeps of the usual length: a lost claim is taken back before they matter.
    server = await scene.addServer(OWN_TIMES, wire.url);
  });
  afterAll(async () => {
    await server.stop();
    scene.servers.pop();
    await wire.stop();
  });

  it('takes three more for a send with a key: one finds it, plain or hidden, one stores it, and one keeps the answer', async () => {
    const statementsOf = async (to: object, headers = {}): Promise<string[]> => {
      const names = await wire.statementsOf(async () => {
        expect((await scene.send(to, {}, { headers, server: 1 })).status).toBe(200);
      });
      // Not the purge, which comes by itself.
      return names.filter((name) => /^(outbox|idempotency)-(?!purge)/.test(name));
    };
    for (const to of [() => ({ phone: newPhone() }), () => newPhones(2).map((phone) => ({ phone }))]) {
      const without = await statementsOf(to());
      expect(without).toContain('outbox-reserve-quota');
      const reserving = without.map((name) => (name === 'outbox-reserve-quota' ? `${name}-of-key` : name));
      expect(await statementsOf(to(), { 'Idempotency-Key': randomUUID() })).toEqual([
        'idempotency-find',
        'outbox-store-key',
        ...reserving,
        'idempotency-keep-answer',
      ]);
    }
  });

  it('leaves nothing unknown where the answer to a claim is lost with its connection: it goes back and is sent', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    await account.connect('waba_coexistence', { perSecond: 40 });
    // By itself: another process would claim what is left.
    await scene.servers[0]?.kill('SIGSTOP');
    try {
      await beginList(account, LISTED, 1);
      wire.loseAnswers('send-queue-claim');
      // What it has ahead is soon gone: it has claimed more, and waits for the answer.
      await eventually(
        async () =>
          performance.now() - (scene.provider.ledger.at(-1)?.at ?? 0) > QUIET_MS &&
          (await claimedUnseen(account)) > 0,
        10_000,
        'no claim waits for its answer',
      );
      wire.cut();
      await eventually(
        async () => (await countOf(account.id, ['sent'])) === LISTED,
        // Shorter than the claim's deadline.
        TIMEOUT_MS,
        'not all were sent',
      );
      expect(server.output()).not.toMatch(/unhandled/i);
    } finally {
      await scene.servers[0]?.kill('SIGCONT');
    }
  });
});
