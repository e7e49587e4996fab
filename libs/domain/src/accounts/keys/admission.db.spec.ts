import { AdmissionRepository } from '@app/persistence/accounts/keys/admission.repository';
import { SessionAdmissionRepository } from '@app/persistence/accounts/people/session-admission.repository';
import { AdmissionDatabase } from '@app/persistence/database/database.service';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { AccountFixture } from '../../../../../test/support/database/fixture';
import {
  CLUSTERS,
  createDatabase,
  openPool,
  type TestDatabase,
} from '../../../../../test/support/database/test.database';
import { untilWaiting } from '../../../../../test/support/faults/waiting.sessions';
import { triesOf } from '../../../../../test/support/long.mode';
import { UnauthorizedError } from '../account.errors';
import { AdmissionService, hashKey, type Admission, type RateCounter } from './admission.service';

const DEFAULTS = { leads: 60, general: 30 };
/** Up to 240 calls a window is kept as their times, beyond it as counts of whole seconds. */
const BY_TIMES = 60;
const BY_COUNTS = 300;
const KINDS = [
  ['times', BY_TIMES],
  ['counts', BY_COUNTS],
] as const;
const DAY = 86_400;

/** How many calls were made so many seconds ago. */
type Past = Record<number, number>;
const entriesOf = (past: Past): [number, number][] =>
  Object.entries(past).map(([ago, calls]) => [Number(ago), calls]);
const callsOf = (past: Past): number => entriesOf(past).reduce((sum, [, calls]) => sum + calls, 0);

describe.each(CLUSTERS)('the calls of a key, on PostgreSQL $name', ({ name }) => {
  let database: TestDatabase;
  let account: AccountFixture;
  let pools: Pool[];
  /** As two processes have them. */
  let processes: AdmissionService[];
  let statements = 0;

  /** Both begin anew: they remember no refusal. */
  const restart = (): void => {
    processes = pools.map((pool) => {
      const admission = new AdmissionDatabase(pool);
      return new AdmissionService(
        new AdmissionRepository(admission),
        DEFAULTS,
        new SessionAdmissionRepository(admission),
      );
    });
  };

  beforeAll(async () => {
    database = await createDatabase(name);
    account = await AccountFixture.create(database.pool);
    pools = [openPool(database.url, 3), openPool(database.url, 3)];
    for (const pool of pools) {
      const ask = pool.query.bind(pool) as (query: unknown) => Promise<unknown>;
      Object.assign(pool, { query: (query: unknown) => (statements++, ask(query)) });
    }
  });

  beforeEach(restart);

  afterAll(async () => {
    await Promise.all((pools ?? []).map((pool) => pool.end()));
    await database?.drop();
  });

  const addKey = (limitLeads: number | null): Promise<string> =>
    account.addKey({ limitLeads, limitGeneral: null });

  const setLimit = async (key: string, limit: number): Promise<void> => {
    await database.pool.query('UPDATE api_keys SET limit_leads = $2 WHERE key_hash = $1', [
      hashKey(key),
      limit,
    ]);
    restart();
  };

  /** As a window by times, or by counts, has these calls. */
  async function remember(key: string, past: Past, kind: 'times' | 'counts'): Promise<void> {
    const ages = entriesOf(past).flatMap(([ago, calls]) => Array<number>(calls).fill(ago));
    if (kind === 'times') {
      await database.pool.query(
        `INSERT INTO rate_windows (key_id, scope, hits)
         SELECT id, 'leads', ARRAY(SELECT clock_timestamp() - make_interval(secs => s) FROM unnest($2::float8[]) s ORDER BY s DESC)
           FROM api_keys WHERE key_hash = $1
         ON CONFLICT (key_id, scope) DO UPDATE SET hits = excluded.hits`,
        [hashKey(key), ages],
      );
      return;
    }
    const newest = Math.min(...ages);
    const sums = Array.from(
      { length: 62 },
      (_, index) => ages.filter((ago) => ago >= newest + 61 - index).length,
    );
    await database.pool.query(
      `INSERT INTO rate_counters (key_id, scope, head, sums)
       SELECT id, 'leads', floor(extract(epoch FROM clock_timestamp()))::bigint - $2::int, $3::bigint[]
         FROM api_keys WHERE key_hash = $1
       ON CONFLICT (key_id, scope) DO UPDATE SET head = excluded.head, sums = excluded.sums`,
      [hashKey(key), newest, sums],
    );
  }

  async function keyWith(limit: number, past: Past): Promise<string> {
    const key = await addKey(limit);
    await remember(key, past, limit > 240 ? 'counts' : 'times');
    return key;
  }

  /** As if so much time had passed, and no process remembered a refusal. */
  async function letPass(key: string, seconds: number): Promise<void> {
    const values = [hashKey(key), seconds];
    await database.pool.query(
      `UPDATE rate_windows SET hits = ARRAY(SELECT h - make_interval(secs => $2::int) FROM unnest(hits) h ORDER BY h)
        WHERE key_id = (SELECT id FROM api_keys WHERE key_hash = $1)`,
      values,
    );
    await database.pool.query(
      'UPDATE rate_counters SET head = head - $2::int WHERE key_id = (SELECT id FROM api_keys WHERE key_hash = $1)',
      values,
    );
    restart();
  }

  /** Calls at once, by turns of both processes. */
  const burst = (key: string, calls: number, counter: RateCounter = 'leads'): Promise<Admission[]> =>
    Promise.all(Array.from({ length: calls }, (_, call) => processes[call % 2]!.admit(key, counter)));
  const passes = async (key: string, calls: number, counter?: RateCounter): Promise<number> =>
    (await burst(key, calls, counter)).filter(({ passed }) => passed).length;
  const admit = async (key: string): Promise<Admission> => (await burst(key, 1))[0]!;

  const second = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ second: number }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()))::float8 AS second',
    );
    return rows[0]!.second;
  };

  it.each<[RateCounter, number | null, number, number]>([
    ['leads', null, 0, 60],
    ['general', null, 0, 30],
    ['leads', 1, 0, 1],
    ['leads', 12, 0, 12],
    ['leads', 240, 220, 20],
    ['leads', 241, 221, 20],
    ['leads', 300, 260, 40],
  ])(
    'pass exactly as often as %s with the limit %j and %i calls before leaves: %i',
    async (counter, limit, before, left) => {
      const key = limit && before ? await keyWith(limit, { 10: before }) : await addKey(limit);
      const answers = await burst(key, left + 30, counter);
      const passed = answers.filter((answer) => answer.passed);
      expect(passed.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual([...Array(left).keys()]);
      for (const { limit: of, remaining, resetSeconds } of answers.filter((answer) => !answer.passed)) {
        expect([of, remaining]).toEqual([limit ?? DEFAULTS[counter], 0]);
        expect(resetSeconds).toBeGreaterThanOrEqual(1);
        expect(resetSeconds).toBeLessThanOrEqual(61);
      }
    },
  );

  it('of four keys at once pass exactly, each by itself', async () => {
    const keys = await Promise.all([1, 2, 3, 4].map(() => addKey(null)));
    expect(await Promise.all(keys.map((key) => passes(key, 80)))).toEqual([60, 60, 60, 60]);
  });

  it('are counted by kind: leads, and everything else', async () => {
    const key = await addKey(null);
    expect([await passes(key, 70), await passes(key, 40, 'general')]).toEqual([60, 30]);
  });

  it('by either secret of a rotated key are counted together', async () => {
    for (const limit of [12, BY_COUNTS]) {
      const key = await keyWith(limit, { 10: limit - 7 });
      const old = await addKey(null);
      await database.pool.query(
        `WITH gone AS (DELETE FROM api_keys WHERE key_hash = $2)
         UPDATE api_keys SET old_key_hash = $2, old_key_expires_at = clock_timestamp() + interval '1 hour' WHERE key_hash = $1`,
        [hashKey(key), hashKey(old)],
      );
      const answers = await Promise.all([key, old, key, old].map((secret) => burst(secret, 6)));
      expect([limit, answers.flat().filter(({ passed }) => passed).length]).toEqual([limit, 7]);
    }
  });

  it.each<[table: string, limit: number, times: number, counts: number, waiters: number]>([
    ['rate_windows', BY_TIMES, 59, 0, 2],
    ['rate_counters', BY_COUNTS, 0, 299, 6],
    // Its limit was another one before: both kinds count.
    ['rate_windows', BY_TIMES, 50, 9, 2],
    ['rate_counters', BY_COUNTS, 50, 249, 6],
  ])(
    'that all saw the last place of %s (limit %i) take it once',
    async (table, limit, times, counts, waiters) => {
      const key = await addKey(limit);
      if (times) await remember(key, { 10: times }, 'times');
      if (counts) await remember(key, { 10: counts }, 'counts');
      const holder = await database.pool.connect();
      try {
        await holder.query('BEGIN');
        await holder.query(
          `SELECT FROM ${table} WHERE key_id = (SELECT id FROM api_keys WHERE key_hash = $1) FOR UPDATE`,
          [hashKey(key)],
        );
        const passed = passes(key, 30);
        await untilWaiting(database.pool, waiters);
        await holder.query('COMMIT');
        expect(await passed).toBe(1);
      } finally {
        holder.release(true);
      }
    },
  );

  describe.each(KINDS)('kept as %s', (kind, limit) => {
    it('count for a minute; a refused one counts never', async () => {
      const key = await keyWith(limit, { 0: limit - 8 });
      expect(await passes(key, 20)).toBe(8);
      await letPass(key, 50);
      expect(await passes(key, 20)).toBe(0);
      await letPass(key, 12);
      // Each kind's longest window is a burst of its own.
      expect(await passes(key, limit + 10)).toBe(limit);
    });

    it('slide: as many pass as have grown old', async () => {
      const key = await keyWith(limit, { 62: 25, 50: limit - 25 });
      expect(await passes(key, 40)).toBe(25);
    });

    it('pass as often as the last 60 seconds leave room, whatever came before', async () => {
      const pasts = fc.dictionary(
        fc.integer({ min: 0, max: 130 }).map(String),
        fc.integer({ min: 1, max: limit / 2 }),
        { maxKeys: 5, minKeys: 1 },
      );
      await fc.assert(
        fc.asyncProperty(pasts, async (given) => {
          const past = given as Past;
          // A window by times holds no more than its limit; one by counts reaches back a minute from its newest call.
          const newest = Math.min(...entriesOf(past).map(([ago]) => ago));
          if (kind === 'times' ? callsOf(past) > limit : entriesOf(past).some(([ago]) => ago > newest + 60))
            return;
          const key = await keyWith(limit, past);
          const written = await second();
          const passed = await passes(key, limit + 10);
          const late = (await second()) - written + 2;
          const counted = (since: number): number =>
            entriesOf(past).reduce((sum, [ago, calls]) => sum + (ago < since ? calls : 0), 0);
          expect(passed).toBeGreaterThanOrEqual(Math.max(0, limit - counted(62)));
          expect(passed).toBeLessThanOrEqual(Math.max(0, limit - counted(60 - late)));
        }),
        { numRuns: triesOf(8, 60), endOnFailure: true },
      );
    });

    it('count on when the clock of the database was set back', async () => {
      const key = await keyWith(limit, { [-30]: 20, [-20]: limit - 40 });
      const answers = await burst(key, 40);
      expect(answers.filter(({ passed }) => passed)).toHaveLength(20);
      // The oldest that counts ends 80 s from now.
      const seconds = answers.filter(({ passed }) => !passed).map(({ resetSeconds }) => resetSeconds);
      expect(Math.min(...seconds)).toBeGreaterThan(60);
      expect(Math.max(...seconds)).toBeLessThanOrEqual(91);
      await letPass(key, 30 + 31);
      expect(await passes(key, 20)).toBe(0);
    });

    it.each([1, 0.5])(
      'begin anew after that clock was a day ahead (%d of a window counted then)',
      async (part) => {
        const key = await keyWith(limit, { [-DAY]: limit * part });
        const answers = await burst(key, limit + 10);
        expect(answers.filter(({ passed }) => passed)).toHaveLength(limit);
        expect(Math.max(...answers.map(({ resetSeconds }) => resetSeconds))).toBeLessThanOrEqual(61);
      },
    );

    it.each<[what: string, now: number, past: (limit: number) => Past, least: number, most: number]>([
      ['the oldest of a full window ends', 0, (full) => ({ 58: 1, 20: full - 1 }), 1, 3],
      [
        'enough have ended of more than a lowered limit allows',
        0,
        (full) => ({ 58: full / 2, 30: full / 2, 10: full / 2 }),
        28,
        31,
      ],
      ['the oldest of those that left room ends', 1, (full) => ({ 40: 1, 10: full - 2 }), 18, 21],
    ])('are told when the next passes: %s', async (_, passed, past, least, most) => {
      const key = await keyWith(limit, past(limit));
      const answer = await admit(key);
      expect(Number(answer.passed)).toBe(passed);
      expect(answer.resetSeconds).toBeGreaterThanOrEqual(least);
      expect(answer.resetSeconds).toBeLessThanOrEqual(most);
    });
  });

  it('kept as counts are refused up to 60 whole seconds later', async () => {
    for (let tries = 0; tries < 20; tries++) {
      const begun = await second();
      const passed = await passes(await keyWith(BY_COUNTS, { 60: BY_COUNTS }), 4);
      if ((await second()) !== begun) continue;
      expect(passed).toBe(0);
      return;
    }
    throw new Error('no try began and ended in one second');
  });

  describe('after the limit became one that is kept in the other way', () => {
    it('count against a raised one, and end with their minute', async () => {
      const key = await addKey(BY_TIMES);
      expect(await passes(key, 70)).toBe(60);
      await letPass(key, 15);
      await setLimit(key, BY_COUNTS);
      const answers = await burst(key, 260);
      expect(answers.filter(({ passed }) => passed)).toHaveLength(240);
      expect(answers.at(-1)!.resetSeconds).toBeLessThanOrEqual(45);
      await letPass(key, 46);
      expect(await passes(key, 80)).toBe(60);
    });

    it('count against a lowered one until enough of them are old', async () => {
      const key = await keyWith(BY_COUNTS, { 50: 150, 30: 40, 10: 65 });
      await setLimit(key, BY_TIMES);
      const refused = await admit(key);
      // The newest alone fill the new window; they were 10 s ago.
      expect([refused.passed, refused.limit, refused.remaining]).toEqual([false, BY_TIMES, 0]);
      expect(refused.resetSeconds).toBeGreaterThan(46);
      expect(refused.resetSeconds).toBeLessThanOrEqual(51);
      await letPass(key, 52);
      expect(await passes(key, 70)).toBe(60);
    });

    it('count each once while it goes to and fro', async () => {
      const key = await addKey(BY_TIMES);
      const seen = [await passes(key, 40)];
      for (const [limit, calls] of [
        [BY_COUNTS, 10],
        [BY_TIMES, 30],
        [BY_COUNTS, 300],
        [BY_TIMES, 20],
      ] as const) {
        await setLimit(key, limit);
        seen.push(await passes(key, calls));
      }
      expect(seen).toEqual([40, 10, 10, 240, 0]);
    });

    it('count not where that clock was a day ahead', async () => {
      const [raised, lowered] = [await keyWith(BY_COUNTS, { 0: 1 }), await keyWith(BY_TIMES, { 0: 1 })];
      await remember(raised, { [-DAY]: BY_TIMES }, 'times');
      await remember(lowered, { [-DAY]: BY_COUNTS }, 'counts');
      expect([await passes(raised, 310), await passes(lowered, 70)]).toEqual([299, 59]);
    });
  });

  it.each(KINDS)(
    'kept as %s are refused from memory for a while, with the seconds that are left',
    async (_, limit) => {
      const key = await keyWith(limit, { 30: limit });
      statements = 0;
      const first = await burst(key, 200);
      // Those that wait behind a call by times are refused with it.
      if (limit === BY_TIMES) expect(statements).toBeLessThan(20);
      const asked = statements;
      const answers = [...first, ...(await burst(key, 200))];
      expect(statements).toBe(asked);
      expect(answers.filter(({ passed }) => passed)).toEqual([]);
      for (const { resetSeconds } of answers) {
        expect(resetSeconds).toBeGreaterThan(20);
        expect(resetSeconds).toBeLessThanOrEqual(31);
      }
    },
  );

  it('of nobody are refused: no key, an unknown, a revoked, an expired one, and an old secret that ended', async () => {
    const secrets = [undefined, 'll_x'];
    for (const column of ['revoked_at', 'expires_at']) {
      const key = await addKey(null);
      await database.pool.query(
        `UPDATE api_keys SET ${column} = clock_timestamp() - interval '1 ms' WHERE key_hash = $1`,
        [hashKey(key)],
      );
      secrets.push(key);
    }
    await database.pool.query(
      `UPDATE api_keys SET old_key_hash = $2, old_key_expires_at = clock_timestamp() - interval '1 ms' WHERE key_hash = $1`,
      [hashKey(account.key), hashKey('ll_old')],
    );
    for (const secret of [...secrets, 'll_old'])
      await expect(processes[0]!.admit(secret, 'leads')).rejects.toThrow(UnauthorizedError);
  });
});
