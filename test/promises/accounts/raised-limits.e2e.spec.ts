import fc from 'fast-check';
import type { Answer } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { planted } from '../../support/faults/planted.environment';
import { AccountFixture } from '../../support/database/fixture';
import { RateBench } from '../../support/scenes/rate.bench';
import { CLUSTERS } from '../../support/database/test.database';

/**
 * Above this a window is kept as counts of whole seconds, not as times. Really above 240, which rate-windows.e2e.spec.ts keeps
 * to: each burst has to fill a window.
 */
const LARGEST_EXACT = 40;
const LIMIT = 48;
const SMALL = 12;
/** By three callers, two at a time with a pause: more than a second's calls. */
const OVER_SECONDS = 40;
const PAUSE_MS = 200;
/** Calls more than can pass. */
const BEYOND = 12;

describe.each(CLUSTERS)('a key with a raised limit, on two processes, PostgreSQL $name', ({ name }) => {
  let bench: RateBench;
  let account: AccountFixture;

  beforeAll(async () => {
    bench = await RateBench.start(name, planted('exact-limit'));
    account = await AccountFixture.create(bench.database.pool);
  });

  afterAll(() => bench?.stop());

  /** One without access to what is called: the call is counted all the same, and costs less. */
  const addKey = (limit = LIMIT): Promise<string> =>
    account.addKey({ limitLeads: limit, scopes: ['messages'] });
  const passes = async (key: string, calls: number): Promise<number> =>
    (await bench.burst(key, 'leads', calls)).filter(bench.passed).length;

  it.each([LARGEST_EXACT - 1, LARGEST_EXACT, LARGEST_EXACT + 1])(
    'passes exactly %i times of more first calls at once',
    async (limit) => {
      expect(await passes(await addKey(limit), limit + BEYOND)).toBe(limit);
    },
  );

  it('passes once where one is left, however many calls saw it', async () => {
    const key = await addKey();
    await bench.rememberCounts(key, 10, { 0: LIMIT - 1 });
    const answers = await bench.burstBehindLock(key, 'rate_counters', 30, 6);
    expect(answers.filter(bench.passed)).toHaveLength(1);
  });

  it('is used in full while the seconds go by, and not once more', async () => {
    const key = await addKey();
    await bench.rememberCounts(key, 10, { 0: LIMIT - OVER_SECONDS });
    const begun = await bench.second();
    let passed = 0;
    const caller = async (): Promise<void> => {
      for (;;) {
        const some = await passes(key, 2);
        passed += some;
        if (some < 2) return;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    await Promise.all([caller(), caller(), caller()]);
    // More than one second, so that the counts were shifted under the load.
    expect(await bench.second()).toBeGreaterThan(begun);
    passed += await passes(key, BEYOND);
    expect(passed).toBe(OVER_SECONDS);
  });

  it('passes again, in full, once the calls are 61 seconds old', async () => {
    const key = await addKey();
    await bench.rememberCounts(key, 0, { 0: LIMIT - 8 });
    expect(await passes(key, BEYOND)).toBe(8);
    await bench.moveBack(key, 50);
    expect(await passes(key, BEYOND)).toBe(0);
    await bench.moveBack(key, 12);
    expect(await bench.passesOnBoth(key, LIMIT + BEYOND)).toBe(LIMIT);
  });

  it('is still refused when its calls are anything up to 60 seconds old', async () => {
    const heldWithinOneSecond = async (): Promise<boolean> => {
      const key = await addKey();
      const begun = await bench.second();
      await bench.rememberCounts(key, 60, { 0: LIMIT });
      const passed = await passes(key, 4);
      if ((await bench.second()) !== begun) return false;
      expect(passed).toBe(0);
      return true;
    };
    await eventually(heldWithinOneSecond, 20_000, 'no try began and ended in one second');
  });

  it('counts what is in the last 60 seconds and nothing older, whatever the past', async () => {
    const past = fc.dictionary(fc.integer({ min: 0, max: 60 }).map(String), fc.integer({ min: 1, max: 30 }), {
      maxKeys: 6,
    });
    const walk = fc.asyncProperty(past, fc.integer({ min: 0, max: 62 }), async (counts, age) => {
      const key = await addKey();
      const countedSince = (second: number, written: number): number =>
        Object.entries(counts)
          .filter(([index]) => written - age - Number(index) >= second - 60)
          .reduce((sum, [, count]) => sum + count, 0);
      const before = await bench.second();
      await bench.rememberCounts(key, age, counts);
      const written = await bench.second();
      const passed = await passes(key, Math.max(0, LIMIT - countedSince(written + 2, written)) + 20);
      const after = await bench.second();
      expect(passed).toBeGreaterThanOrEqual(Math.max(0, LIMIT - countedSince(before, written)));
      expect(passed).toBeLessThanOrEqual(Math.max(0, LIMIT - countedSince(after, before)));
    });
    await fc.assert(walk, { numRuns: 8, endOnFailure: true });
  });

  it('counts on when the clock of the database was set back', async () => {
    const key = await addKey();
    await bench.rememberCounts(key, -30, { 0: 24, 10: 16 });
    expect(await passes(key, LIMIT - 40 + BEYOND)).toBe(LIMIT - 40);
    const exact = await addKey(SMALL);
    await bench.remember(exact, Array<number>(8).fill(-30));
    expect(await passes(exact, SMALL)).toBe(SMALL - 8);
  });

  it.each([LIMIT, 24])(
    'counts again, in full, after that clock was a day ahead (%i calls counted then)',
    async (counted) => {
      const key = await addKey();
      await bench.rememberCounts(key, -86_400, { 0: counted });
      const answers = await bench.burst(key, 'leads', LIMIT + BEYOND);
      expect(answers.filter(bench.passed)).toHaveLength(LIMIT);
      for (const { headers } of answers) {
        expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(61);
      }
    },
  );

  it('learns what is left and when to come back, and is admitted then', async () => {
    const key = await addKey();
    await bench.rememberCounts(key, 59, { 0: LIMIT - 1 });
    const [last] = await bench.burst(key, 'leads', 1);
    expect(['limit', 'remaining'].map((name) => last!.headers.get(`ratelimit-${name}`))).toEqual([
      String(LIMIT),
      '0',
    ]);
    await bench.rememberCounts(key, 59, { 0: LIMIT });
    const [refused] = await bench.burst(key, 'leads', 1);
    expect(refused!.status).toBe(429);
    const seconds = Number(refused!.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(2);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    expect(await passes(key, 2)).toBe(2);
  });

  it('learns when to come back also when the limit was lowered below what has passed', async () => {
    const key = await addKey();
    await bench.rememberCounts(key, 10, { 48: LIMIT / 2, 20: LIMIT / 2, 0: LIMIT / 2 });
    const [refused] = await bench.burst(key, 'leads', 1);
    expect(refused!.status).toBe(429);
    // Without the oldest half the window is still full: the next one is 30 s old.
    const seconds = Number(refused!.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(26);
    expect(seconds).toBeLessThanOrEqual(31);
  });

  const remainingOf = (answers: Answer[]): number[] =>
    answers
      .filter(bench.passed)
      .map(({ headers }) => Number(headers.get('ratelimit-remaining')))
      .sort((a, b) => a - b);
  const countdown = (from: number): number[] => Array.from({ length: from }, (_, left) => left);
  const expectRefusals = (answers: Answer[], limit: number, secondsMax: number): void => {
    for (const { headers } of answers.filter(({ status }) => status === 429)) {
      const [of, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`ratelimit-${name}`)),
      );
      expect([of, remaining]).toEqual([limit, 0]);
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(secondsMax);
      expect(headers.get('retry-after')).toBe(String(reset));
    }
  };

  describe('after a kill of both processes, whose successors remember no refusal', () => {
    let [partlyUsed, ofClockBehind, toAndFro, raised, lowered]: string[] = [];
    let [afterRaise, afterLowering]: Answer[][] = [];

    beforeAll(async () => {
      partlyUsed = await addKey();
      await bench.rememberCounts(partlyUsed, 0, { 0: LIMIT - 20 });
      expect(await passes(partlyUsed, 10)).toBe(10);

      toAndFro = await addKey(SMALL);
      expect(await passes(toAndFro, 8)).toBe(8);
      await bench.setLimit(toAndFro, LIMIT);
      expect(await passes(toAndFro, 2)).toBe(2);
      await bench.setLimit(toAndFro, SMALL);
      expect(await passes(toAndFro, 2)).toBe(2);
      await bench.setLimit(toAndFro, LIMIT);
      expect(await passes(toAndFro, LIMIT)).toBe(LIMIT - SMALL);
      await bench.setLimit(toAndFro, SMALL);

      lowered = await addKey();
      expect(await passes(lowered, SMALL + 20)).toBe(SMALL + 20);
      await bench.moveBack(lowered, 15);
      await bench.setLimit(lowered, SMALL);
      afterLowering = await bench.burst(lowered, 'leads', 30);

      raised = await addKey(SMALL);
      expect(await passes(raised, SMALL)).toBe(SMALL);
      await bench.moveBack(raised, 15);
      await bench.setLimit(raised, LIMIT);
      afterRaise = await bench.burst(raised, 'leads', LIMIT + BEYOND);

      ofClockBehind = await addKey();
      await bench.rememberCounts(ofClockBehind, -30, { 0: 1 });
      expect(await passes(ofClockBehind, LIMIT + 20)).toBe(LIMIT - 1);
      // Put right by 30 s, and half a minute goes by.
      await bench.moveBack(ofClockBehind, 30 + 31);

      await bench.restart();
    });

    // The first three: of their calls some are only 29 to 45 s from being too old to count.
    it('does not forget calls made while that clock was behind as soon as it is right again', async () => {
      expect(await passes(ofClockBehind!, 20)).toBe(0);
    });

    it('whose limit was raised: passes no more often in all than the new limit says', async () => {
      expect(remainingOf(afterRaise!)).toEqual(countdown(LIMIT - SMALL));
      // The oldest call that counts is one of the first.
      expectRefusals(afterRaise!, LIMIT, 45);
      expect(await passes(raised!, 20)).toBe(0);
      await bench.moveBack(raised!, 46);
      expect(await bench.passesOnBoth(raised!, SMALL + BEYOND)).toBe(SMALL);
    });

    it('whose limit was lowered below what has passed: does not pass until that is old', async () => {
      expect(afterLowering!.filter(bench.passed)).toHaveLength(0);
      expectRefusals(afterLowering!, SMALL, 46);
      const before = await bench.lookups();
      expect(await passes(lowered!, 40)).toBe(0);
      // One or two for each process, and what the test itself did: no refusal was doubted and looked at again.
      expect((await bench.lookups()) - before).toBeLessThan(20);
      await bench.moveBack(lowered!, 47);
      expect(await bench.passesOnBoth(lowered!, SMALL + BEYOND)).toBe(SMALL);
    });

    it('keeps its window', async () => {
      expect(await passes(partlyUsed!, 10 + BEYOND)).toBe(10);
    });

    it('counts everything that passed while its limit went to and fro', async () => {
      expect(await passes(toAndFro!, 20)).toBe(0);
    });
  });

  describe('and its limit changed to one that is counted in the other way', () => {
    it('lowered: says when so much is old that a call passes again, not when the oldest is', async () => {
      const key = await addKey();
      await bench.rememberCounts(key, 10, { 48: LIMIT / 2, 20: SMALL, 0: SMALL + 2 });
      await bench.setLimit(key, SMALL);
      const [refused] = await bench.burst(key, 'leads', 1);
      expect(refused!.status).toBe(429);
      // The newest alone fill the new window; they were 10 s ago.
      const seconds = Number(refused!.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(46);
      expect(seconds).toBeLessThanOrEqual(51);
    });

    it('lowered, several at once: each passes exactly as often as is left of the new limit', async () => {
      const given = [0, 2, 6, SMALL - 1, SMALL];
      const keys = await Promise.all(given.map(() => addKey()));
      await Promise.all(
        keys.map(async (key, index) => expect(await passes(key, given[index]!)).toBe(given[index])),
      );
      await Promise.all(keys.map((key) => bench.setLimit(key, SMALL)));
      const bursts = await Promise.all(keys.map((key) => bench.burst(key, 'leads', SMALL + 20)));
      expect(bursts.map(remainingOf)).toEqual(given.map((passed) => countdown(SMALL - passed)));
      for (const answers of bursts) expectRefusals(answers, SMALL, 61);
    });

    it.each([
      ['rate_windows', SMALL, SMALL - 7, 6, 2],
      ['rate_counters', LIMIT, SMALL, LIMIT - SMALL - 1, 6],
    ] as const)(
      'passes once where one is left, however many calls saw it (%s)',
      async (table, limit, times, counted, waiters) => {
        const key = await addKey(limit);
        await bench.remember(key, Array<number>(times).fill(10));
        await bench.rememberCounts(key, 10, { 0: counted });
        const answers = await bench.burstBehindLock(key, table, 30, waiters);
        expect(answers.filter(bench.passed)).toHaveLength(1);
      },
    );

    it('does not count calls from when the clock of the database was a day ahead', async () => {
      const [raised, lowered] = [await addKey(), await addKey(SMALL)];
      await bench.remember(raised, Array<number>(SMALL).fill(-86_400));
      await bench.rememberCounts(lowered, -86_400, { 0: LIMIT });
      expect(await passes(raised, LIMIT + 20)).toBe(LIMIT);
      expect(await passes(lowered, SMALL + 20)).toBe(SMALL);
    });
  });
});
