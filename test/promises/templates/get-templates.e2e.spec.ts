import { randomUUIDv7 } from 'node:crypto';
import { AdminScene } from '../../support/scenes/admin.scene';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { expectRefused } from '../../support/clients/refusal.expectation';

let scene: AdminScene;
let senders = 300_000_000_000_000;

const connect = (botId: string): Promise<Answer> =>
  scene.admin.admin('PUT', `bots/${botId}/channels/waba_coexistence`, {
    ...{ sender: String(++senders), credential: 'token', settings: { waba_id: '102290129340398' } },
  });

beforeAll(async () => {
  scene = await AdminScene.open();
});

afterAll(() => scene?.close());

describe('get-templates', () => {
  let own: AccountFixture;
  let body: { bot_id: string; channel: string };

  beforeAll(async () => {
    own = await AccountFixture.create(scene.database.pool);
    await connect(own.botId);
    body = { bot_id: own.botId, channel: 'waba_coexistence' };
    for (const [name, language] of [
      ['b', 'ru'],
      ['a', 'ru'],
      ['a', 'en'],
    ] as const) {
      await scene.admin.admin('POST', 'templates', {
        ...body,
        ...{ name, language, category: 'marketing', template_id: `our_${name}` },
        ...{ body: 'Hello {{1}}!', examples: { body: ['Aida'] } },
      });
    }
  });

  const call = (change: object = {}, key = own.key): Promise<Answer> =>
    new ApiClient(scene.server.url, key).call('messages/get-templates', { ...body, ...change });

  it('lists what is registered for the bot, each language by itself, and nothing of another bot', async () => {
    await connect(scene.account.botId);
    await scene.admin.admin('POST', 'templates', {
      ...{
        bot_id: scene.account.botId,
        channel: 'waba_coexistence',
        name: 'other',
        category: 'utility',
        body: 'Hi',
      },
    });
    const { status, body: answer } = await call();
    const shown = { status: 'draft', category: 'marketing', body: 'Hello {{1}}!', params_count: 1 };
    const rest = { header: null, footer: null, buttons: [] };
    expect([status, answer.data]).toEqual([
      200,
      {
        templates: [
          { template_id: 'our_a', name: 'a', language: 'en', ...shown, ...rest },
          { template_id: 'our_a', name: 'a', language: 'ru', ...shown, ...rest },
          { template_id: 'our_b', name: 'b', language: 'ru', ...shown, ...rest },
        ],
      },
    ]);
  });

  it('lists those of one status', async () => {
    expect((await call({ status: 'draft' })).body.data.templates).toHaveLength(3);
    expect((await call({ status: 'approved' })).body.data.templates).toEqual([]);
  });

  it('takes the bot’s id in either case, and a channel that was never connected', async () => {
    expect((await call({ bot_id: own.botId.toUpperCase() })).body.data.templates).toHaveLength(3);
    expect((await call({ channel: 'waba' })).body.data.templates).toEqual([]);
  });

  it('tells a bot that is not there, 404, from one that is not the key’s, 403', async () => {
    await scene.expectRefused(() => call({ bot_id: randomUUIDv7() }), 'BOT_NOT_FOUND');
    const unattached = await own.addKey({ botIds: [] });
    const foreign = await scene.account.addKey({ botIds: [own.botId] });
    for (const key of [unattached, foreign, scene.account.key]) {
      await expectRefused(scene.database.pool, () => call({}, key), [403, 'FORBIDDEN']);
    }
  });

  it('needs the scope messages', async () => {
    const key = await own.addKey({ scopes: ['leads'] });
    await expectRefused(scene.database.pool, () => call({}, key), [403, 'FORBIDDEN']);
    await expectRefused(scene.database.pool, () => call({}, scene.admin.key), [403, 'FORBIDDEN']);
  });

  it.each<[object, string[]]>([
    [{ bot_id: undefined, channel: undefined }, ['bot_id', 'channel']],
    [{ bot_id: 'malformed' }, ['bot_id']],
    [{ bot_id: '' }, ['bot_id']],
    [{ bot_id: null }, ['bot_id']],
    [{ channel: 'WABA' }, ['channel']],
    [{ status: 'x' }, ['status']],
    [{ status: null }, ['status']],
  ])('refuses %j', async (change, paths) => {
    await scene.expectRefused(() => call(change), 'VALIDATION_ERROR', paths);
  });
});
