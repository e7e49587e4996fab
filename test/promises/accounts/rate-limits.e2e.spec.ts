import { Agent } from 'node:http';
import type { Answer } from '../../support/clients/api.client';
import { requestLiterally } from '../../support/clients/raw.request';
import type { GivenKey } from '../../support/database/fixture';
import { CLUSTERS } from '../../support/database/test.database';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';

/** Keys with the limits of the contract: 60 and 30. How they count is proven by admission.db.spec.ts. */
const DEFAULTS: GivenKey = { limitLeads: null, limitGeneral: null };
const ROUNDS = triesOf(1, 10);

describe.each(CLUSTERS)('two processes and one key, PostgreSQL $name', ({ name }) => {
  const scene = setScene({ version: name, servers: 2 });
  /** Without a limit: calls at once do not wait for one another here. Hundreds of new connections cost more than the calls. */
  const agent = new Agent({ keepAlive: true });

  afterAll(() => agent.destroy());

  /** Calls at once, by the processes in turn. */
  const burst = (key: string, calls: number, counter: 'leads' | 'general' = 'leads'): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: calls }, (_, call) => {
        const { url } = scene.servers[call % scene.servers.length]!;
        const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
        return counter === 'leads'
          ? requestLiterally(url, { path: '/api/v1/leads/get-statuses', headers, body: '{}', agent })
          : requestLiterally(url, { path: '/api/v1/admin/accounts', method: 'GET', headers, agent });
      }),
    );

  /** Calls that were admitted; an answer that says neither yes nor no, such as a 503, fails the test. */
  const passed = (answers: Answer[]): Answer[] =>
    answers.filter(({ status, text }) => {
      if (status === 200 || status === 403) return true;
      if (status === 429) return false;
      throw new Error(`neither admitted nor refused: ${status} ${text}`);
    });

  const headersOf = ({ headers }: Answer): (string | null)[] =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'].map((header) =>
      headers.get(header),
    );

  it.each<['leads' | 'general', GivenKey, number]>([
    ['leads', DEFAULTS, 60],
    ['general', DEFAULTS, 30],
  ])('let exactly as many %s calls of a key with %j pass at once: %i', async (counter, given, limit) => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = await scene.account.addKey(given);
      expect(passed(await burst(key, limit + 30, counter))).toHaveLength(limit);
    }
  });

  it('say with every answer what is left, and with a 429 when to come back; a caller who does is let in', async () => {
    const key = await scene.account.addKey({ limitLeads: 2, limitGeneral: null });
    const [first] = await burst(key, 1);
    expect(headersOf(first!)).toEqual(['2', '1', expect.stringMatching(/^(59|60)$/), null]);
    const pass = (seconds: number): Promise<unknown> =>
      scene.database.pool.query(
        `UPDATE rate_windows SET hits = ARRAY(SELECT hit - make_interval(secs => $1) FROM unnest(hits) AS hit ORDER BY 1)
          WHERE key_id = (SELECT id FROM api_keys ORDER BY id DESC LIMIT 1)`,
        [seconds],
      );
    await pass(40);
    await burst(key, 1);
    const [refused] = await burst(key, 1);
    expect([refused!.status, refused!.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    const [limit, remaining, reset, retryAfter] = headersOf(refused!);
    expect([limit, remaining, reset]).toEqual(['2', '0', retryAfter]);
    const seconds = Number(retryAfter);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(20);
    await pass(seconds);
    expect(passed(await burst(key, 2))).toHaveLength(1);
  });

  it('count every admitted call, whatever becomes of it', async () => {
    const key = await scene.account.addKey({ ...DEFAULTS, scopes: ['messages'] });
    const statuses = (await burst(key, 70)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array<number>(60).fill(403), ...Array<number>(10).fill(429)]);
  });

  it('refuse a revoked key within a second, a full window notwithstanding', async () => {
    const keys = [await scene.account.addKey(DEFAULTS), await scene.account.addKey(DEFAULTS)];
    await burst(keys[0]!, 4);
    await burst(keys[1]!, 64);
    await scene.database.pool.query(
      'UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id IN (SELECT id FROM api_keys ORDER BY id DESC LIMIT 2)',
    );
    const areRefused = async (): Promise<boolean> =>
      (await Promise.all(keys.map((key) => burst(key, 2)))).flat().every(({ status }) => status === 401);
    await eventually(areRefused, 1_500, 'a revoked key was not refused');
  });

  // The last: the process is another one then, with these settings.
  it('know the window from the first call of a process that starts later, and take the default limits from their settings', async () => {
    const [partlyUsed, own] = [
      await scene.account.addKey({ limitLeads: 60 }),
      await scene.account.addKey({ limitLeads: 20 }),
    ];
    expect(passed(await burst(partlyUsed, 45))).toHaveLength(45);
    scene.servers.length = 0;
    const settings = { RATE_LIMIT_LEADS: '7', RATE_LIMIT_GENERAL: '3' };
    await scene.addServer(settings);
    expect(passed(await burst(partlyUsed, 25))).toHaveLength(15);
    const key = await scene.account.addKey(DEFAULTS);
    expect(passed(await burst(key, 12))).toHaveLength(7);
    expect(passed(await burst(key, 8, 'general'))).toHaveLength(3);
    expect(passed(await burst(own, 25))).toHaveLength(20);
  });
});
