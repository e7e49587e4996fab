import { randomUUIDv7 } from 'node:crypto';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { AdminScene } from '../../support/scenes/admin.scene';

let scene: AdminScene;

beforeAll(async () => {
  scene = await AdminScene.open();
});

afterAll(() => scene?.close());

interface Issued {
  id: string;
  key: string;
  api: ApiClient;
}

async function issue(more: object = {}): Promise<Issued> {
  const { assistantId, botId } = scene.account;
  const { body } = await scene.admin.admin('POST', 'api-keys', {
    account_id: scene.account.id,
    name: 'Accounting',
    scopes: ['leads', 'messages'],
    assistant_ids: [assistantId],
    bot_ids: [botId],
    ...more,
  });
  const { id, key } = body.data as Issued;
  return { id, key, api: new ApiClient(scene.server.url, key) };
}

const change = (id: string, body: object): Promise<Answer> =>
  scene.admin.admin('PATCH', `api-keys/${id}`, body);

const limitOf = ({ headers }: Answer): number => Number(headers.get('ratelimit-limit'));

describe('a key’s own limits', () => {
  it('are given when it is issued, and hold from its first call', async () => {
    const { id, api } = await issue({ limit_leads: 3, limit_general: null });
    const answers: Answer[] = [];
    for (let call = 1; call <= 4; call++) answers.push(await api.getStatuses());
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(limitOf(answers[0] as Answer)).toBe(3);
    expect(limitOf(await api.getThreads({}))).toBe(30);
    const { body } = await scene.admin.admin('GET', `api-keys?account_id=${scene.account.id}`);
    const listed = (body.data.api_keys as Record<string, unknown>[]).find((key) => key.id === id);
    expect(listed).toMatchObject({ limit_leads: 3, limit_general: null });
  });

  it('are raised, lowered and taken away again, each for the next call', async () => {
    const { id, api } = await issue();
    const seen: number[] = [limitOf(await api.getStatuses())];
    for (const limit_leads of [500, 2_000, 7, null]) {
      const { status, body } = await change(id, { limit_leads });
      expect([status, body.data.limit_leads]).toEqual([200, limit_leads]);
      seen.push(limitOf(await api.getStatuses()));
    }
    expect(seen).toEqual([60, 500, 2_000, 7, 60]);
  });
});

it('changes what is given and leaves everything else', async () => {
  const { id } = await issue({ limit_leads: 90 });
  const expires_at = '2199-01-31T12:00:00.000Z';
  const before = (await change(id, {})).body.data as object;
  const changed = await change(id, { name: 'Warehouse', limit_general: 40, expires_at });
  expect(changed.body.data).toEqual({ ...before, name: 'Warehouse', limit_general: 40, expires_at });
  const again = await change(id, { expires_at: null });
  expect(again.body.data).toMatchObject({ name: 'Warehouse', expires_at: null, limit_leads: 90 });
  expect(JSON.stringify(again.body)).not.toContain('"key"');
});

it('gives and takes scopes, agents and bots for the next call', async () => {
  const { id, api } = await issue();
  const more = await scene.account.addAssistant();
  expect((await api.getStatuses()).status).toBe(200);
  await change(id, { scopes: ['messages'] });
  expect((await api.getStatuses()).body.error.code).toBe('FORBIDDEN');
  await change(id, { scopes: ['leads'], assistant_ids: [more.toUpperCase(), more], bot_ids: [] });
  const { body } = await api.getStatuses();
  expect(body.data.assistant_id).toBe(more);
});

it('closes the boards of a key whose scope for them was taken', async () => {
  const { id, key } = await issue();
  const board = await BoardClient.connect(scene.server.url, { api_key: key });
  await change(id, { scopes: ['messages'] });
  await eventually(async () => board.disconnectedBecause !== null, 4_000, 'the connection stayed open');
});

describe('is refused and changes nothing', () => {
  it.each<[object, string[]]>([
    [{ name: '' }, ['name']],
    [{ name: null }, ['name']],
    [{ scopes: [] }, ['scopes']],
    [{ scopes: null }, ['scopes']],
    [{ scopes: ['admin'], bot_ids: [], assistant_ids: [] }, ['scopes']],
    [{ bot_ids: null }, ['bot_ids']],
    [{ limit_leads: 0 }, ['limit_leads']],
    [{ limit_leads: '60' }, ['limit_leads']],
    [{ limit_general: 1.5 }, ['limit_general']],
    [{ limit_general: 1_000_001 }, ['limit_general']],
    [{ expires_at: '2001-01-01T00:00:00Z' }, ['expires_at']],
    [{ expires_at: '' }, ['expires_at']],
  ])('with %j', async (body, paths) => {
    const { id } = await issue();
    await scene.expectRefused(() => change(id, body), 'VALIDATION_ERROR', paths);
  });

  it('where an admin key is to become another', async () => {
    const { body } = await scene.admin.admin('POST', 'api-keys', { name: 'Second', scopes: ['admin'] });
    const { id } = body.data as Issued;
    await scene.expectRefused(() => change(id, { scopes: ['leads'] }), 'VALIDATION_ERROR', ['scopes']);
    const bots = { bot_ids: [scene.account.botId] };
    await scene.expectRefused(() => change(id, bots), 'VALIDATION_ERROR', ['bot_ids']);
  });

  it('with an agent or a bot of another account', async () => {
    const { id } = await issue();
    const { assistantId, botId } = await AccountFixture.create(scene.database.pool);
    await scene.expectRefused(() => change(id, { bot_ids: [botId] }), 'BOT_NOT_FOUND');
    await scene.expectRefused(() => change(id, { assistant_ids: [assistantId] }), 'ASSISTANT_NOT_FOUND');
  });

  it('for a key that does not exist', async () => {
    for (const id of [randomUUIDv7(), 'malformed', scene.account.id]) {
      await scene.expectRefused(() => change(id, { name: 'x' }), 'API_KEY_NOT_FOUND');
    }
  });

  it.each([0, -1, '60', 1_000_001])('a new key with a limit of %j', async (limit) => {
    const body = { account_id: scene.account.id, name: 'x', scopes: ['leads'], limit_leads: limit };
    const issuing = () => scene.admin.admin('POST', 'api-keys', body);
    await scene.expectRefused(issuing, 'VALIDATION_ERROR', ['limit_leads']);
  });
});
