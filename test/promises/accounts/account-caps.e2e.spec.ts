import { setScene } from '../../support/scenes/base.scene';
import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';

const MOST = 3;
const CAPS = ['ACCOUNT_KEYS_MAX', 'ACCOUNT_PEOPLE_MAX', 'ACCOUNT_AGENTS_MAX', 'ACCOUNT_BOTS_MAX'];

const scene = setScene({
  environment: Object.fromEntries(
    [...CAPS, 'AGENT_STAGES_MAX', 'NUMBER_TEMPLATES_MAX'].map((name) => [name, String(MOST)]),
  ),
});

let account: AccountFixture;
let names = 0;
const name = (): string => `thing_${(names += 1)}`;

beforeAll(async () => {
  account = await AccountFixture.create(scene.database.pool, []);
  await account.connect();
});

const make = (path: string, body: object): Promise<Answer> =>
  scene.admin.admin('POST', path, { account_id: account.id, name: name(), ...body });

/** How one more of each is made, and in which table it is. */
const THINGS: Record<string, [make: () => Promise<Answer>, table: string]> = {
  keys: [() => make('api-keys', { scopes: ['leads'], bot_ids: [], assistant_ids: [] }), 'api_keys'],
  people: [() => make('users', { email: `${name()}@example.com`, role: 'operator' }), 'users'],
  agents: [() => make('assistants', {}), 'assistants'],
  stages: [() => make('statuses', { assistant_id: account.assistantId, kind: 'active' }), 'statuses'],
  bots: [() => make('bots', { assistant_id: account.assistantId }), 'bots'],
  templates: [
    () =>
      make('templates', {
        ...{ bot_id: account.botId, channel: 'waba_coexistence', category: 'utility', body: 'Hi' },
      }),
    'templates',
  ],
};

it.each(Object.keys(THINGS))(
  'an account has so many %s as it may, and not one more, however many at once',
  async (kind) => {
    const [one, table] = THINGS[kind]!;
    const count = async (): Promise<number> =>
      (await scene.database.pool.query(`SELECT FROM ${table} WHERE account_id = $1`, [account.id]))
        .rowCount ?? 0;
    const room = MOST - (await count());
    const answers = await Promise.all(Array.from({ length: MOST + 2 }, one));
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(MOST + 2 - room);
    expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['LIMIT_REACHED']));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(room);
    expect(await count()).toBe(MOST);
  },
);

it('a revoked key makes room for another one', async () => {
  const { body } = await scene.admin.admin('GET', `api-keys?account_id=${account.id}`);
  const [key] = body.data.api_keys as { id: string }[];
  await scene.admin.admin('DELETE', `api-keys/${key?.id}`);
  expect((await THINGS.keys![0]()).status).toBe(201);
});
