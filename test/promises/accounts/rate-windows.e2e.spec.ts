import type { Answer } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { AccountFixture, type GivenKey } from '../../support/database/fixture';
import { RateBench, type Counter } from '../../support/scenes/rate.bench';
import { CLUSTERS } from '../../support/database/test.database';

/** Keys with the limits of the contract: 60 and 30. */
const DEFAULTS: GivenKey = { limitLeads: null, limitGeneral: null };

describe.each(CLUSTERS)('two processes and one key, PostgreSQL $name', ({ name }) => {
  let bench: RateBench;
  let account: AccountFixture;

  beforeAll(async () => {
    bench = await RateBench.start(name);
    account = await AccountFixture.create(bench.database.pool);
  });

  afterAll(() => bench?.stop());

  it.each([
    ['leads', 60],
    ['general', 30],
  ] as [Counter, number][])(
    'let exactly as many %s calls pass as the contract says: %i',
    async (counter, limit) => {
      const key = await account.addKey(DEFAULTS);
      const answers = await bench.burst(key, counter, 2 * limit);
      expect(answers.filter(bench.passed)).toHaveLength(limit);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(limit);
    },
  );

  // Above 240 a window is kept in another way, by raised-limits.e2e.spec.ts.
  it.each([240, 241])('let exactly as many pass as are left of %i, a key’s own limit', async (limitLeads) => {
    const key = await account.addKey({ limitLeads });
    if (limitLeads > 240) await bench.rememberCounts(key, 10, { 0: limitLeads - 20 });
    else await bench.remember(key, Array<number>(limitLeads - 20).fill(10));
    expect((await bench.burst(key, 'leads', 40)).filter(bench.passed)).toHaveLength(20);
  });

  it('let exactly 60 of 80 first calls of each of four fresh keys at once pass', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => account.addKey(DEFAULTS)));
    const bursts = await Promise.all(keys.map((key) => bench.burst(key, 'leads', 80)));
    expect(bursts.map((answers) => answers.filter(bench.passed).length)).toEqual(Array(4).fill(60));
  });

  it('let one pass where one is left, however many saw it', async () => {
    const key = await account.addKey(DEFAULTS);
    await bench.remember(key, Array<number>(59).fill(10));
    // Of one key each process has one call under way.
    const answers = await bench.burstBehindLock(key, 'rate_windows', 30, 2);
    expect(answers.filter(bench.passed)).toHaveLength(1);
  });

  it('count leads and everything else apart', async () => {
    const key = await account.addKey(DEFAULTS);
    await bench.burst(key, 'leads', 70);
    const [general] = await bench.burst(key, 'general', 1);
    expect(general?.headers.get('ratelimit-remaining')).toBe('29');
    expect((await bench.burst(key, 'general', 40)).filter(bench.passed)).toHaveLength(29);
  });

  it('count each key of an account by itself', async () => {
    const [one, other] = [await account.addKey(DEFAULTS), await account.addKey(DEFAULTS)];
    await bench.burst(one, 'leads', 70);
    expect((await bench.burst(other, 'leads', 70)).filter(bench.passed)).toHaveLength(60);
  });

  it('do not count a refused call', async () => {
    const key = await account.addKey(DEFAULTS);
    await bench.burst(key, 'leads', 60);
    await bench.moveBack(key, 50);
    const refused = await bench.burst(key, 'leads', 30);
    expect(refused.filter(bench.passed)).toHaveLength(0);
    await bench.moveBack(key, 11);
    expect(await bench.passesOnBoth(key, 70)).toBe(60);
  });

  it('slide: as many pass as have grown 60 seconds old, and no more', async () => {
    const key = await account.addKey(DEFAULTS);
    await bench.remember(key, [...Array<number>(25).fill(61), ...Array<number>(35).fill(50)]);
    expect((await bench.burst(key, 'leads', 40)).filter(bench.passed)).toHaveLength(25);
  });

  it('count every admitted call, whatever becomes of it', async () => {
    const key = await account.addKey({ ...DEFAULTS, scopes: ['messages'] });
    const answers = await bench.burst(key, 'leads', 70);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  it('say with every answer the limit, what is left and when the oldest call ends', async () => {
    const key = await account.addKey(DEFAULTS);
    const headersOf = ({ headers }: Answer) =>
      ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));
    for (const left of [59, 58, 57]) {
      const [answer] = await bench.burst(key, 'leads', 1);
      expect(headersOf(answer!).slice(0, 2)).toEqual([60, left]);
      expect(answer!.headers.get('retry-after')).toBeNull();
    }
    await bench.moveBack(key, 40);
    const [later] = await bench.burst(key, 'leads', 1);
    const [limit, remaining, reset] = headersOf(later!);
    expect([limit, remaining]).toEqual([60, 56]);
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(20);
  });

  it('say with a 429 when to come back, and let a caller in who does', async () => {
    const key = await account.addKey(DEFAULTS);
    await bench.remember(key, Array<number>(60).fill(58.8));
    const [refused] = await bench.burst(key, 'leads', 1);
    expect(refused!.status).toBe(429);
    expect(refused!.body.error).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    const seconds = Number(refused!.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(2);
    expect(refused!.headers.get('ratelimit-remaining')).toBe('0');
    expect(refused!.headers.get('ratelimit-reset')).toBe(String(seconds));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    expect((await bench.burst(key, 'leads', 2)).filter(bench.passed)).toHaveLength(2);
  });

  it('say so too after the limit was lowered below what has passed', async () => {
    const key = await account.addKey({ limitLeads: 3 });
    await bench.remember(key, [58, 45, 30, 20, 10]);
    const [refused] = await bench.burst(key, 'leads', 1);
    expect(refused!.status).toBe(429);
    // Of the three that still fill the window the oldest is 30 s old.
    const seconds = Number(refused!.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(25);
    expect(seconds).toBeLessThanOrEqual(30);
  });

  it('repeat the refusal with the seconds that are left, also from memory', async () => {
    const key = await account.addKey(DEFAULTS);
    await bench.remember(key, Array<number>(60).fill(30));
    for (const { headers, status } of await bench.burst(key, 'leads', 50)) {
      expect([status, headers.get('ratelimit-limit')]).toEqual([429, '60']);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(30);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(20);
    }
  });

  it('ask the database no more for calls that wait while it refuses one of their key', async () => {
    const key = await account.addKey(DEFAULTS);
    const before = await bench.lookups();
    expect((await bench.burst(key, 'leads', 400)).filter(bench.passed)).toHaveLength(60);
    // One for each that passed, two to four for each process to be refused.
    expect((await bench.lookups()) - before).toBeLessThan(100);
  });

  it('say when to come back, and no sooner, after the clock of the database was set back', async () => {
    const key = await account.addKey(DEFAULTS);
    await bench.remember(key, Array<number>(40).fill(-30));
    const answers = await bench.burst(key, 'leads', 40);
    expect(answers.filter(bench.passed)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    // The oldest call that counts is one of those 40, which end 90 s from now; the 20 come after them.
    const seconds = refused.map(({ headers }) => Number(headers.get('retry-after')));
    expect(Math.min(...seconds)).toBeGreaterThan(60);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(90);
  });

  it.each([60, 40])(
    'count again, in full, after that clock was a day ahead (%i calls counted then)',
    async (counted) => {
      const key = await account.addKey(DEFAULTS);
      await bench.remember(key, Array<number>(counted).fill(-86_400));
      const answers = await bench.burst(key, 'leads', 70);
      expect(answers.filter(bench.passed)).toHaveLength(60);
      for (const { headers } of answers) {
        expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60);
      }
    },
  );

  it('refuse a revoked key within a second, a full window notwithstanding', async () => {
    const [idle, full] = [await account.addKey(DEFAULTS), await account.addKey(DEFAULTS)];
    await bench.burst(idle, 'leads', 4);
    await bench.burst(full, 'leads', 70);
    await bench.database.pool.query('UPDATE api_keys SET revoked_at = clock_timestamp()');
    for (const key of [idle, full]) await bench.becomes(key, 401, 1_500);
  });

  it('refuse a key once it has expired', async () => {
    const key = await account.addKey({ ...DEFAULTS, expiresAt: new Date(Date.now() + 1_000) });
    expect((await bench.burst(key, 'leads', 2)).filter(bench.passed)).toHaveLength(2);
    await bench.becomes(key, 401, 3_000);
  });

  it('let a caller in again by the clock alone', async () => {
    const key = await account.addKey({ limitLeads: 1, limitGeneral: null });
    await bench.remember(key, [58.8]);
    expect((await bench.burst(key, 'leads', 2)).filter(bench.passed)).toHaveLength(0);
    await eventually(
      async () => (await bench.burst(key, 'leads', 1)).some(bench.passed),
      5_000,
      'the window did not slide',
    );
    expect((await bench.burst(key, 'leads', 20)).filter(bench.passed)).toHaveLength(0);
  });

  // The last: both processes keep these settings.
  describe('after both were killed and started again, with other limits for keys without their own,', () => {
    let partlyUsed: string;

    beforeAll(async () => {
      partlyUsed = await account.addKey({ limitLeads: 60, limitGeneral: null });
      expect((await bench.burst(partlyUsed, 'leads', 45)).filter(bench.passed)).toHaveLength(45);
      await bench.restart({ RATE_LIMIT_LEADS: '7', RATE_LIMIT_GENERAL: '3' });
    });

    it('still know the window', async () => {
      expect((await bench.burst(partlyUsed, 'leads', 60)).filter(bench.passed)).toHaveLength(15);
    });

    it('take those from RATE_LIMIT_LEADS and RATE_LIMIT_GENERAL', async () => {
      const key = await account.addKey(DEFAULTS);
      expect((await bench.burst(key, 'leads', 50)).filter(bench.passed)).toHaveLength(7);
      expect((await bench.burst(key, 'general', 50)).filter(bench.passed)).toHaveLength(3);
      const raised = await account.addKey({ limitLeads: 20, limitGeneral: null });
      expect((await bench.burst(raised, 'leads', 50)).filter(bench.passed)).toHaveLength(20);
    });
  });
});
