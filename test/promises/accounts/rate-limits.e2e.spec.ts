import { Agent } from 'node:http';
import type { Answer } from '../../support/clients/api.client';
import { requestLiterally } from '../../support/clients/raw.request';
import { AccountFixture, type GivenKey } from '../../support/database/fixture';
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
  describe('a process that starts later', () => {
    const MOST = 3;
    const CAPS = ['ACCOUNT_KEYS_MAX', 'ACCOUNT_PEOPLE_MAX', 'ACCOUNT_AGENTS_MAX', 'ACCOUNT_BOTS_MAX'];
    const caps = [...CAPS, 'AGENT_STAGES_MAX', 'NUMBER_TEMPLATES_MAX'].map((cap) => [cap, String(MOST)]);

    let partlyUsed: string;
    let account: AccountFixture;
    let names = 0;
    const newName = (): string => `thing_${(names += 1)}`;

    beforeAll(async () => {
      account = await AccountFixture.create(scene.database.pool, []);
      await account.connect();
      partlyUsed = await scene.account.addKey({ limitLeads: 60 });
      expect(passed(await burst(partlyUsed, 45))).toHaveLength(45);
      scene.servers.length = 0;
      const settings = { RATE_LIMIT_LEADS: '7', RATE_LIMIT_GENERAL: '3' };
      await scene.addServer({ ...settings, ...(Object.fromEntries(caps) as Record<string, string>) });
    });

    it('knows the window from its first call, and takes the default limits from its settings', async () => {
      const own = await scene.account.addKey({ limitLeads: 20 });
      expect(passed(await burst(partlyUsed, 25))).toHaveLength(15);
      const key = await scene.account.addKey(DEFAULTS);
      expect(passed(await burst(key, 12))).toHaveLength(7);
      expect(passed(await burst(key, 8, 'general'))).toHaveLength(3);
      expect(passed(await burst(own, 25))).toHaveLength(20);
    });

    const make = (path: string, body: object): Promise<Answer> =>
      scene.admin.admin('POST', path, { account_id: account.id, name: newName(), ...body });

    /** How one more of each is made, in which table it is, and what helps where there are too many. */
    const THINGS: Record<string, [make: () => Promise<Answer>, table: string, whatHelps: string]> = {
      keys: [
        () => make('api-keys', { scopes: ['leads'], bot_ids: [], assistant_ids: [] }),
        'api_keys',
        'revoke one',
      ],
      people: [
        () => make('users', { email: `${newName()}@example.com`, role: 'operator' }),
        'users',
        'none can be deleted',
      ],
      agents: [() => make('assistants', {}), 'assistants', 'none can be deleted'],
      stages: [
        () => make('statuses', { assistant_id: account.assistantId, kind: 'active' }),
        'statuses',
        'archive one',
      ],
      bots: [() => make('bots', { assistant_id: account.assistantId }), 'bots', 'none can be deleted'],
      templates: [
        () =>
          make('templates', {
            ...{ bot_id: account.botId, channel: 'waba_coexistence', category: 'utility', body: 'Hi' },
          }),
        'templates',
        'delete one',
      ],
    };

    it.each(Object.keys(THINGS))(
      'lets an account have so many %s as it may, and not one more, however many at once',
      async (kind) => {
        const [one, table, whatHelps] = THINGS[kind]!;
        const count = async (): Promise<number> =>
          (await scene.database.pool.query(`SELECT FROM ${table} WHERE account_id = $1`, [account.id]))
            .rowCount ?? 0;
        const room = MOST - (await count());
        const answers = await Promise.all(Array.from({ length: MOST + 2 }, one));
        const refused = answers.filter(({ status }) => status === 409);
        expect(refused).toHaveLength(MOST + 2 - room);
        expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['LIMIT_REACHED']));
        expect(refused[0]?.body.error.message).toContain(whatHelps);
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(room);
        expect(await count()).toBe(MOST);
      },
    );

    it('has a revoked key make room for another one', async () => {
      const { body } = await scene.admin.admin('GET', `api-keys?account_id=${account.id}`);
      const [key] = body.data.api_keys as { id: string }[];
      await scene.admin.admin('DELETE', `api-keys/${key?.id}`);
      expect((await THINGS.keys![0]()).status).toBe(201);
    });
  });
});
