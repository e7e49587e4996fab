import { AuditRepository } from '@app/persistence/audit/audit.repository';
import { randomUUIDv7 } from 'node:crypto';
import { Database, IntakeDatabase, WorkDatabase } from '@app/persistence/database/database.service';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { DeliveryStateRepository } from '@app/persistence/messages/delivery/delivery-state.repository';
import {
  WebhookDeliveryRepository,
  type NewDelivery,
} from '@app/persistence/webhooks/webhook-delivery.repository';
import { EntitySource } from '../../support/database/entity.source';
import { AccountFixture } from '../../support/database/fixture';
import { WebhookRejectEntity } from '@app/persistence/webhooks/webhook-delivery.entity';
import {
  WebhookRejectRepository,
  type NewWebhookReject,
} from '@app/persistence/webhooks/webhook-reject.repository';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

const LEASE_SECONDS = 60;
const OVER = -1;

let database: TestDatabase;
let deliveries: WebhookDeliveryRepository;
let rejects: WebhookRejectRepository;
let orm: EntitySource;

beforeAll(async () => {
  database = await createDatabase();
  const pooled = new Database(database.pool, new InFlightLimiter(1));
  deliveries = new WebhookDeliveryRepository(pooled, new IntakeDatabase(database.pool));
  orm = await EntitySource.open(database);
  rejects = new WebhookRejectRepository(
    orm.of(WebhookRejectEntity),
    orm.entities,
    pooled,
    new AuditRepository(pooled),
  );
});

afterAll(async () => {
  await orm?.close();
  await database?.drop();
});

beforeEach(() => database.pool.query('TRUNCATE webhook_deliveries, webhook_rejects'));

/** One webhook. */
const storeOne = (body: string | Buffer, given: Partial<NewDelivery> = {}): Promise<boolean> =>
  deliveries.store({
    provider: 'cloud',
    botId: null,
    group: '',
    signedFor: null,
    body: Buffer.from(body),
    ...given,
  });
const store = async (count: number, group = ''): Promise<void> => {
  for (let index = 0; index < count; index++) await storeOne(String(index), { group });
};
const claim = async (count = 1, seconds = LEASE_SECONDS, large = 0) => {
  const token = randomUUIDv7();
  return { token, claimed: await deliveries.claimDue(token, seconds, { count, largest: 100, large }) };
};
const claimOne = async (seconds = LEASE_SECONDS) => {
  const { token, claimed } = await claim(1, seconds);
  const [delivery] = claimed;
  if (!delivery) throw new Error('nothing was due');
  return { token, id: delivery.id, attempts: delivery.attempts };
};
/** Moves everything that is due later nearer by the given number of seconds. */
const pass = (seconds: number) =>
  database.pool.query(`UPDATE webhook_deliveries SET due_at = due_at - make_interval(secs => $1::float8)`, [
    seconds,
  ]);

describe('webhooks that come together', () => {
  const stored = async () => {
    const { rows } = await database.pool.query<{ body: Buffer; commit: string; ms: number; late_ms: number }>(
      `SELECT body, xmin::text AS commit, extract(epoch FROM received_at)::float8 * 1000 AS ms,
              extract(epoch FROM due_at - received_at)::float8 * 1000 AS late_ms
         FROM webhook_deliveries ORDER BY id`,
    );
    return rows;
  };

  it('share a commit, keep their order and the times at which they came', async () => {
    const first = storeOne('a');
    const second = storeOne('b');
    await Promise.all([first, second]);
    // Within the pause after the statement before: these wait for its end.
    const third = storeOne('c', { provider: 'gupshup' });
    const blocked = performance.now() + 3;
    while (performance.now() < blocked);
    await Promise.all([third, storeOne('d')]);
    const rows = await stored();
    expect(rows.map(({ body }) => String(body))).toEqual(['a', 'b', 'c', 'd']);
    expect(new Set(rows.map(({ commit }) => commit)).size).toBe(2);
    expect(rows.toSorted((one, other) => one.ms - other.ms)).toEqual(rows);
    expect((rows[3]?.ms ?? 0) - (rows[2]?.ms ?? 0)).toBeGreaterThanOrEqual(2.9);
    for (const { late_ms } of rows) expect(late_ms).toBeGreaterThanOrEqual(0);
  });

  it('are each stored or refused by the bot of its own address', async () => {
    const { botId } = await AccountFixture.create(database.pool);
    const bots = [botId, randomUUIDv7(), null];
    const ends = bots.map((bot, n) => storeOne(String(n), { provider: 'gupshup', botId: bot }));
    expect(await Promise.all(ends)).toEqual([true, false, true]);
    expect((await stored()).map(({ body }) => String(body))).toEqual(['0', '2']);
  });

  it('are each stored by themselves, as bytes, where they are larger than 8 KiB', async () => {
    const { botId } = await AccountFixture.create(database.pool);
    const sizes = [8_192, 8_193, 8_192, 8_193];
    const bodies = sizes.map((size, n) => Buffer.alloc(size, n));
    const ends = bodies.map((body) => storeOne(body, { provider: 'gupshup', botId }));
    const stranger = storeOne(Buffer.alloc(8_193), { provider: 'gupshup', botId: randomUUIDv7() });
    expect(await Promise.all([...ends, stranger])).toEqual([true, true, true, true, false]);
    const rows = await stored();
    const commitOf = (n: number) => rows.find(({ body }) => body.equals(bodies[n] ?? Buffer.of()))?.commit;
    const commits = bodies.map((_, n) => commitOf(n));
    expect(commits[0]).toBe(commits[2]);
    expect(commits).not.toContain(undefined);
    expect(new Set(commits).size).toBe(3);
  });
});

it('what a webhook is signed for stays with it, and with what of it becomes a reject, though it is gone itself', async () => {
  const signed = [['of/one', 'of/another'], null, ['of/one'], null];
  for (const [n, signedFor] of signed.entries())
    await storeOne(Buffer.alloc(n < 2 ? 1 : 8_193), { signedFor });
  const { token, claimed } = await claim(4, LEASE_SECONDS, 4);
  const kept = claimed.toSorted((one, other) => Number(one.id) - Number(other.id));
  expect(kept.map(({ signed_for }) => signed_for)).toEqual(signed);
  const found: unknown[] = [];
  for (const { id: delivery_id, provider, bot_id, received_at } of kept) {
    const reject = { id: randomUUIDv7(), account_id: null, provider, bot_id, delivery_id, received_at };
    await rejects.add(token, { ...reject, path: '', reason: 'r', item: Buffer.from(delivery_id) });
    await database.pool.query('DELETE FROM webhook_deliveries WHERE id = $1', [delivery_id]);
    found.push((await rejects.find(reject.id, null, 10))?.signed_for);
  }
  expect(found).toEqual(signed);
});

describe('webhooks that are due', () => {
  it('are claimed oldest first, as they came, with how often they were tried', async () => {
    await store(3);
    const { claimed } = await claim(2);
    expect(
      claimed.map(({ body, provider, bot_id, attempts }) => [String(body), provider, bot_id, attempts]),
    ).toEqual([
      ['0', 'cloud', null, 0],
      ['1', 'cloud', null, 0],
    ]);
    expect((await claim(5)).claimed.map(({ body }) => String(body))).toEqual(['2']);
  });

  it('are claimed in equal shares of each group, the oldest first', async () => {
    await store(20, 'flood');
    await storeOne('small', { group: 'shop' });
    await storeOne(Buffer.alloc(9_000, 'large'), { group: 'shop' });
    const bodies = async (): Promise<string[]> =>
      (await claim(4, LEASE_SECONDS, 1)).claimed.map(({ body }) => String(body.subarray(0, 5))).toSorted();
    expect(await bodies()).toEqual(['0', '1', 'large', 'small']);
    expect(await bodies()).toEqual(['2', '3', '4', '5']);
  });

  it('are claimed with the large ones of each group in turn', async () => {
    for (let n = 0; n < 25; n++) await storeOne(Buffer.alloc(101, 'f'), { group: 'flood' });
    await storeOne(Buffer.alloc(101, 's'), { group: 'shop' });
    const letters: string[] = [];
    for (let n = 0; n < 20; n++)
      letters.push(
        ...(await claim(2, LEASE_SECONDS, 1)).claimed.map(({ body }) => String(body.subarray(0, 1))),
      );
    // By age it would be the last of 26. Chance leaves it out of 20 claims once in a million.
    expect(letters).toContain('s');
  });

  it('tell with a claim whether a group may have more than its share', async () => {
    await store(3, 'flood');
    await store(1, 'shop');
    const mores = async (): Promise<boolean[]> => (await claim(4)).claimed.map(({ more_due }) => more_due);
    expect(await mores()).toEqual([true, true, true]);
    expect(await mores()).toEqual([false]);
  });

  it('leave places to each of more groups than a claim has', async () => {
    for (let group = 0; group < 12; group++) await store(4, `flood ${group}`);
    await storeOne('late', { group: 'shop' });
    const until = async (claims: number): Promise<number> => {
      const { claimed } = await claim(4);
      if (claimed.some(({ body }) => String(body) === 'late')) return claims;
      return claimed.length === 0 ? Infinity : until(claims + 1);
    };
    // By age alone it would be in the thirteenth claim. Chance leaves it out of three times nine once in 20,000.
    const tries = [];
    for (let round = 0; round < 3; round++) {
      tries.push(await until(1));
      await database.pool.query(`UPDATE webhook_deliveries SET lease_until = NULL, lease_token = NULL`);
    }
    expect(Math.min(...tries)).toBeLessThan(10);
  });

  it('are never claimed by two at once', async () => {
    await store(30);
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(5)));
    const ids = claims.flatMap(({ claimed }) => claimed.map(({ id }) => id));
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
  });

  it('are claimed with as many large ones as there is room for, and past all others', async () => {
    for (const size of [101, 100, 102, 99]) await storeOne(Buffer.alloc(size, 'x'));
    const sizes = async (large: number): Promise<number[]> =>
      (await claim(5, LEASE_SECONDS, large)).claimed.map(({ body }) => body.length);
    expect([await sizes(1), await sizes(0), await sizes(1), await sizes(1)]).toEqual([
      [101, 100, 99],
      [],
      [102],
      [],
    ]);
  });

  it('are marked as done together, each only by the token of its own claim', async () => {
    await store(3);
    const [one, other, third] = [await claimOne(), await claimOne(), await claimOne()];
    const marked = await Promise.all([
      deliveries.done(one.id, one.token),
      deliveries.done(other.id, one.token),
      deliveries.done(third.id, third.token),
    ]);
    expect(marked).toEqual([true, false, true]);
    expect([...(await deliveries.renew([one.id, other.id], other.token, LEASE_SECONDS))]).toEqual([other.id]);
  });

  it('are claimed by another when the lease ran out, whose outcome alone then counts', async () => {
    await store(1);
    const late = await claimOne(OVER);
    const next = await claimOne();
    expect(next.id).toBe(late.id);
    expect(await deliveries.done(late.id, late.token)).toBe(false);
    expect(await deliveries.retryLater(late.id, late.token)).toBe(false);
    expect(await deliveries.done(next.id, next.token)).toBe(true);
    expect((await claim()).claimed).toEqual([]);
  });

  it('come again later each time when they were given back', async () => {
    await store(1);
    for (const [attempts, seconds] of [2, 4, 8, 16, 32, 64, 128, 256, 300, 300].entries()) {
      const { id, token, attempts: tried } = await claimOne();
      expect(tried).toBe(attempts);
      expect(await deliveries.retryLater(id, token)).toBe(true);
      await pass(seconds - 1);
      expect((await claim()).claimed).toEqual([]);
      await pass(1);
    }
    expect((await claim()).claimed).toHaveLength(1);
  });

  it('are deleted a week after they came, once they are done, some at a time', async () => {
    await store(4);
    const { claimed, token } = await claim(3);
    for (const { id } of claimed) await deliveries.done(id, token);
    const [recent] = claimed;
    await database.pool.query(
      `UPDATE webhook_deliveries SET received_at = clock_timestamp() - interval '8 days' WHERE id <> $1`,
      [recent?.id],
    );
    expect([
      await deliveries.purgeDone(1),
      await deliveries.purgeDone(5),
      await deliveries.purgeDone(5),
    ]).toEqual([1, 1, 0]);
    const { rows } = await database.pool.query<{ state: string }>(
      'SELECT state FROM webhook_deliveries ORDER BY state',
    );
    expect(rows.map(({ state }) => state)).toEqual(['done', 'due']);
  });

  it('are kept while a reject of them may be taken in again', async () => {
    await store(2);
    const { claimed, token } = await claim(2);
    for (const { id } of claimed) await deliveries.done(id, token);
    const [kept] = claimed;
    await database.pool.query(
      `UPDATE webhook_deliveries SET received_at = clock_timestamp() - interval '8 days'`,
    );
    await database.pool.query(
      `INSERT INTO webhook_rejects (id, provider, delivery_id, path, reason, item, received_at)
       VALUES ($1, 'cloud', $2, 'entry[0]', 'cannot be read', 'x', clock_timestamp())`,
      [randomUUIDv7(), kept?.id],
    );
    expect([await deliveries.purgeDone(5), await deliveries.purgeDone(5)]).toEqual([1, 0]);
    await database.pool.query('TRUNCATE webhook_rejects');
    expect(await deliveries.purgeDone(5)).toBe(1);
  });
});

describe('an item becomes a reject', () => {
  const botId = randomUUIDv7();
  const token = randomUUIDv7();
  const keep = async (item: string, given: Partial<NewWebhookReject> = {}, heldBy = token) => {
    const { delivery_id: webhook = '7' } = given;
    await database.pool.query(
      `INSERT INTO webhook_deliveries (id, provider, body, lease_token) OVERRIDING SYSTEM VALUE
       VALUES ($1, 'cloud', '{}', $2) ON CONFLICT DO NOTHING`,
      [webhook, token],
    );
    await rejects.add(heldBy, {
      id: randomUUIDv7(),
      account_id: null,
      provider: 'cloud',
      bot_id: null,
      delivery_id: webhook,
      path: item,
      reason: 'r',
      item: Buffer.from(item),
      received_at: new Date(),
      ...given,
    });
  };
  const listed = async () =>
    (await rejects.list(null, null, 10, 10)).map(({ provider, bot_id: bot, item }) => [
      provider,
      bot,
      String(item),
    ]);

  it('only while its webhook is held', async () => {
    await keep('a', {}, randomUUIDv7());
    expect(await listed()).toEqual([]);
  });

  it('once, however often its webhook is taken apart', async () => {
    for (const item of ['a', 'b', 'a']) await keep(item);
    expect(await listed()).toEqual([
      ['cloud', null, 'b'],
      ['cloud', null, 'a'],
    ]);
  });

  it('once, as it first came, however often the provider sends it', async () => {
    const first = new Date('2026-11-21T10:00:00.000Z');
    await keep('a', { received_at: first });
    for (const deliveryId of ['8', '9']) await keep('a', { delivery_id: deliveryId, path: 'elsewhere' });
    const kept = await rejects.list(null, null, 10, 10);
    expect(kept).toMatchObject([{ path: 'a', received_at: first }]);
  });

  it('by itself for each provider and bot', async () => {
    await keep('a');
    for (let times = 0; times < 2; times++) await keep('a', { provider: 'gupshup', bot_id: botId });
    await keep('a', { provider: 'gupshup', bot_id: randomUUIDv7() });
    expect(await listed()).toHaveLength(3);
  });
});

describe('reports that wait for their message', () => {
  let account: AccountFixture;
  let states: DeliveryStateRepository;

  beforeAll(async () => {
    account = await AccountFixture.create(database.pool);
    states = new DeliveryStateRepository(
      new Database(database.pool, new InFlightLimiter(1)),
      new WorkDatabase(database.pool),
    );
  });

  /** Makes every report older by the given number of seconds. */
  const age = (seconds: number) =>
    database.pool.query(
      `UPDATE parked_states SET created_at = created_at - make_interval(secs => $1::float8),
                                next_check_at = next_check_at - make_interval(secs => $1::float8)`,
      [seconds],
    );

  /** Reports are kept of webhooks that are held. */
  const heldWebhook = async () => {
    const { rows } = await database.pool.query<{ webhook: string; heldBy: string }>(
      `INSERT INTO webhook_deliveries (provider, body, due_at, lease_token, lease_until)
       VALUES ('cloud', '', 'infinity', gen_random_uuid(), 'infinity') RETURNING id::text AS webhook, lease_token AS "heldBy"`,
    );
    const [{ webhook, heldBy } = { webhook: '', heldBy: '' }] = rows;
    return { receivedAt: new Date().toISOString(), position: 0, webhook, heldBy };
  };

  it('are looked at more and more seldom, and known once their message is', async () => {
    const { id: accountId, botId } = account;
    const at = { accountId, botId, channel: 'waba_coexistence' as const };
    const report = { state: 'sent', reference: null, providerId: 'wamid.P', whatsappId: null } as const;
    const arrival = await heldWebhook();
    await states.park(at, 'wamid.P', { ...report, at: null, arrival, error: null, optedOut: false });
    const looks: number[] = [];
    for (let second = 1; second <= 40; second++) {
      await age(1);
      const { checked, known } = await states.checkParked(10);
      expect(known).toEqual([]);
      if (checked > 0) looks.push(second);
    }
    // Whenever it is three times as old. The time that the test takes may move a check by a second.
    expect(looks.map((second) => Math.round(Math.log(second) / Math.log(3)))).toEqual([0, 1, 2, 3]);
    const threadId = await account.addThread();
    await database.pool.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, text, status, provider_id)
       SELECT account_id, gen_random_uuid(), id, bot_id, 'waba_coexistence', 'SYSTEM', 'x', 'sent', 'wamid.P'
         FROM threads WHERE account_id = $1`,
      [accountId],
    );
    expect(threadId).toBeTruthy();
    // The last check was at forty at most, so the next one is at three times that.
    await age(300);
    expect(await states.checkParked(10)).toEqual({ checked: 1, known: [{ ...at, providerId: 'wamid.P' }] });
    // Until it is applied and deleted, however old it is.
    await age(3600);
    const [parked] = await states.parked(at, ['wamid.P']);
    expect(await states.checkParked(10)).toEqual({ checked: 1, known: [{ ...at, providerId: 'wamid.P' }] });
    await states.unpark(accountId, [parked?.id ?? '']);
  });

  it('are looked at no more when a quarter of an hour has passed and their message is not known', async () => {
    const { id: accountId, botId } = account;
    const at = { accountId, botId, channel: 'waba_coexistence' as const };
    await states.park(at, 'wamid.Q', {
      ...{ state: 'sent', reference: null, providerId: 'wamid.Q', whatsappId: null, at: null, error: null },
      ...{ arrival: await heldWebhook(), optedOut: false },
    });
    await age(3600);
    expect(await states.checkParked(10)).toEqual({ checked: 1, known: [] });
    await age(36_000);
    expect(await states.checkParked(10)).toEqual({ checked: 0, known: [] });
  });
});
