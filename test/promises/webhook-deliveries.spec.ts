import { randomUUIDv7 } from 'node:crypto';
import { Database, IntakeDatabase } from '@app/persistence/database/database.service';
import { InFlightLimiter } from '@app/persistence/database/in-flight.limiter';
import { DeliveryStateRepository } from '@app/persistence/messages/delivery-state.repository';
import { WebhookDeliveryRepository } from '@app/persistence/webhooks/webhook-delivery.repository';
import { AccountFixture } from '../support/fixture';
import {
  WebhookRejectRepository,
  type NewWebhookReject,
} from '@app/persistence/webhooks/webhook-reject.repository';
import { createDatabase, type TestDatabase } from '../support/test.database';

const LEASE_SECONDS = 60;
const OVER = -1;

let database: TestDatabase;
let deliveries: WebhookDeliveryRepository;
let rejects: WebhookRejectRepository;

beforeAll(async () => {
  database = await createDatabase();
  const pooled = new Database(database.pool, new InFlightLimiter(1));
  deliveries = new WebhookDeliveryRepository(pooled, new IntakeDatabase(database.pool));
  rejects = new WebhookRejectRepository(pooled);
});

afterAll(() => database?.drop());

beforeEach(() => database.pool.query('TRUNCATE webhook_deliveries, webhook_rejects'));

const store = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index++) await deliveries.store('cloud', Buffer.from(String(index)));
};
const claim = async (limit = 1, seconds = LEASE_SECONDS, largest: number | null = null) => {
  const token = randomUUIDv7();
  return { token, claimed: await deliveries.claimDue(token, seconds, limit, largest) };
};
const claimOne = async (seconds = LEASE_SECONDS) => {
  const { token, claimed } = await claim(1, seconds);
  const [delivery] = claimed;
  if (!delivery) throw new Error('nothing was due');
  return { token, id: delivery.id, attempts: delivery.attempts };
};
/** Moves everything that is due later so many seconds nearer. */
const pass = (seconds: number) =>
  database.pool.query(`UPDATE webhook_deliveries SET due_at = due_at - make_interval(secs => $1::float8)`, [
    seconds,
  ]);

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

  it('are never claimed by two at once', async () => {
    await store(30);
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(5)));
    const ids = claims.flatMap(({ claimed }) => claimed.map(({ id }) => id));
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
  });

  it('are claimed past larger ones where only small ones are asked for', async () => {
    for (const size of [101, 100, 102]) await deliveries.store('cloud', Buffer.alloc(size, 'x'));
    const sizes = async (largest: number | null): Promise<number[]> =>
      (await claim(5, LEASE_SECONDS, largest)).claimed.map(({ body }) => body.length);
    expect([await sizes(100), await sizes(100), await sizes(null)]).toEqual([[100], [], [101, 102]]);
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
});

describe('an item is kept aside', () => {
  const botId = randomUUIDv7();
  const keep = (item: string, given: Partial<NewWebhookReject> = {}) =>
    rejects.add({
      id: randomUUIDv7(),
      accountId: null,
      provider: 'cloud',
      botId: null,
      deliveryId: '7',
      path: item,
      reason: 'r',
      item: Buffer.from(item),
      receivedAt: new Date(),
      ...given,
    });
  const listed = async () =>
    (await rejects.list(null, 10, 10)).map(({ provider, bot_id: bot, item }) => [
      provider,
      bot,
      String(item),
    ]);

  it('once, however often its webhook is taken apart', async () => {
    for (const item of ['a', 'b', 'a']) await keep(item);
    expect(await listed()).toEqual([
      ['cloud', null, 'b'],
      ['cloud', null, 'a'],
    ]);
  });

  it('once, as it first came, however often the provider sends it', async () => {
    const first = new Date('2026-11-21T10:00:00.000Z');
    await keep('a', { receivedAt: first });
    for (const deliveryId of ['8', '9']) await keep('a', { deliveryId, path: 'elsewhere' });
    const kept = await rejects.list(null, 10, 10);
    expect(kept).toMatchObject([{ path: 'a', received_at: first }]);
  });

  it('by itself for each provider and bot', async () => {
    await keep('a');
    for (let times = 0; times < 2; times++) await keep('a', { provider: 'gupshup', botId });
    await keep('a', { provider: 'gupshup', botId: randomUUIDv7() });
    expect(await listed()).toHaveLength(3);
  });
});

describe('reports that wait for their message', () => {
  let account: AccountFixture;
  let states: DeliveryStateRepository;

  beforeAll(async () => {
    account = await AccountFixture.create(database.pool);
    states = new DeliveryStateRepository(new Database(database.pool, new InFlightLimiter(1)));
  });

  /** Makes every report so many seconds older. */
  const age = (seconds: number) =>
    database.pool.query(
      `UPDATE parked_states SET created_at = created_at - make_interval(secs => $1::float8),
                                look_at = look_at - make_interval(secs => $1::float8)`,
      [seconds],
    );

  it('are looked at more and more seldom, and known once their message is', async () => {
    const { id: accountId, botId } = account;
    const at = { accountId, botId, channel: 'waba_coexistence' as const };
    const report = { state: 'sent', reference: null, providerId: 'wamid.P', whatsappId: null } as const;
    const arrival = { receivedAt: new Date().toISOString(), place: 0 };
    await states.park(at, 'wamid.P', { ...report, at: null, arrival, error: null, optedOut: false });
    const looks: number[] = [];
    for (let second = 1; second <= 40; second++) {
      await age(1);
      const { looked, known } = await states.lookAtParked(10);
      expect(known).toEqual([]);
      if (looked > 0) looks.push(second);
    }
    // Whenever it is three times as old; the time that the test itself takes may move a look by a second.
    expect(looks.map((second) => Math.round(Math.log(second) / Math.log(3)))).toEqual([0, 1, 2, 3]);
    const threadId = await account.addThread();
    await database.pool.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, text, status, provider_id)
       SELECT account_id, gen_random_uuid(), id, bot_id, 'waba_coexistence', 'SYSTEM', 'x', 'sent', 'wamid.P'
         FROM threads WHERE account_id = $1`,
      [accountId],
    );
    expect(threadId).toBeTruthy();
    // The last look was at forty at most, so the next one is at three times that.
    await age(300);
    expect(await states.lookAtParked(10)).toEqual({ looked: 1, known: [{ ...at, providerId: 'wamid.P' }] });
    await age(3600);
    await states.lookAtParked(10);
    await age(36_000);
    expect(await states.lookAtParked(10)).toEqual({ looked: 0, known: [] });
  });
});
