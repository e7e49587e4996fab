import { randomUUIDv7 } from 'node:crypto';
import { setScene } from '../../support/scenes/base.scene';
import { type Answer, ApiClient } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { readPages } from '../../support/clients/page.reader';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { businessOf } from '../../support/stand-ins/provider.numbers';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const scene = setScene();
let draft: { bot_id: string; channel: string; name: string; category: string; body: string };
let names = 0;
let senders = 300_000_000_000_000;

const create = (change: object = {}): Promise<Answer> =>
  scene.admin.admin('POST', 'templates', { ...draft, ...change });

const connect = (botId: string): Promise<Answer> => {
  const sender = String(++senders);
  const settings = { waba_id: businessOf(sender) };
  return scene.admin.admin('PUT', `bots/${botId}/channels/waba_coexistence`, {
    ...{ sender, settings, credential: 'token' },
  });
};

beforeAll(async () => {
  await connect(scene.account.botId);
});

beforeEach(() => {
  const name = `template_${++names}`;
  draft = {
    bot_id: scene.account.botId,
    channel: 'waba_coexistence',
    name,
    category: 'utility',
    body: 'Привет!',
  };
});

describe('a template', () => {
  it('is drafted with 201 with all that it consists of, and read as it was made', async () => {
    const content = {
      template_id: 'reminder',
      language: 'en_US',
      header: { format: 'text', text: 'For {{1}}' },
      body: 'Hello {{1}}, see you on {{2}}, {{1}}!',
      footer: 'Reply STOP',
      buttons: [
        { type: 'quick_reply', text: 'Yes' },
        { type: 'url', text: 'Map', url: 'https://a.kz/{{1}}' },
      ],
      examples: { header: 'you', body: ['Aida', 'Monday'] },
    };
    const made = await create(content);
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        ...draft,
        ...content,
        id: expect.stringMatching(UUID_7),
        account_id: scene.account.id,
        status: 'draft',
        parameter_format: 'positional',
        params_count: 2,
        quality: null,
        add_security_recommendation: false,
        code_expiration_minutes: null,
        param_names: [],
        provider_id: null,
        reason: null,
        status_at: null,
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      },
    ]);
    const read = await scene.admin.admin('GET', `templates/${made.body.data.id}`);
    expect([read.status, read.body.data]).toEqual([200, made.body.data]);
  });

  it('is named as at the provider, is Russian and has nothing more, when nothing is said', async () => {
    const { body } = await create();
    expect(body.data).toMatchObject({
      template_id: draft.name,
      language: 'ru',
      header: null,
      footer: null,
      buttons: [],
      examples: { body: [] },
      params_count: 0,
      quality: null,
    });
  });

  it('keeps the names of its variables in their order', async () => {
    const { body } = await create({
      parameter_format: 'named',
      body: 'Hello {{first_name}}, see you at {{day}}, {{first_name}}!',
      examples: { body: ['Aida', 'Monday'] },
    });
    expect(body.data).toMatchObject({ params_count: 2, param_names: ['first_name', 'day'] });
  });

  it('is there once by template_id and by name in a language; another language of it is welcome', async () => {
    const template_id = `id_of_${draft.name}`;
    expect((await create({ template_id })).status).toBe(201);
    const twins = [{ template_id: 'other' }, { template_id, name: `${draft.name}_v2` }];
    for (const twin of twins) {
      await expectRefused(scene.database.pool, () => create(twin), [409, 'ALREADY_EXISTS']);
    }
    expect((await create({ template_id, language: 'en' })).status).toBe(201);
  });

  it('is made once of six equal drafts at once', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => create()));
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 5 }, () => 409)]);
  });

  it('is not made of what moderation refuses unread, nor for a channel without a number, nor for a bot that is not there', async () => {
    const unread = { name: 'Capital', language: 'en-US', body: '{{1}}', footer: 'x'.repeat(61) };
    const paths = ['name', 'language', 'body', 'examples.body', 'footer'];
    await scene.expectRefused(() => create(unread), 'VALIDATION_ERROR', paths);
    await scene.expectRefused(() => create({ channel: 'waba' }), 'VALIDATION_ERROR', ['channel']);
    await scene.expectRefused(() => create({ bot_id: randomUUIDv7() }), 'BOT_NOT_FOUND');
  });

  it('is removed while it is a draft, and not after', async () => {
    const { id } = (await create()).body.data as { id: string };
    await scene.database.pool.query(`UPDATE templates SET status = 'pending' WHERE id = $1`, [id]);
    const remove = (): Promise<Answer> => scene.admin.admin('DELETE', `templates/${id}`);
    await scene.expectRefused(remove, 'VALIDATION_ERROR', ['id']);
    await scene.database.pool.query(`UPDATE templates SET status = 'draft' WHERE id = $1`, [id]);
    expect((await remove()).status).toBe(200);
    await scene.expectRefused(remove, 'TEMPLATE_NOT_FOUND');
  });

  it('that is not there is 404 in each operation', async () => {
    for (const [method, path, body] of [
      ['GET', 'templates/malformed', undefined],
      ['PATCH', 'templates/malformed', { body: 'Hi' }],
      ['DELETE', 'templates/malformed', undefined],
      ['POST', 'templates/malformed/submit', {}],
    ] as const) {
      await scene.expectRefused(() => scene.admin.admin(method, path, body), 'TEMPLATE_NOT_FOUND');
    }
  });

  it('is neither submitted nor synchronised for a channel that is not connected', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    await connect(account.botId);
    const { id } = (await create({ bot_id: account.botId })).body.data as { id: string };
    await scene.admin.admin('DELETE', `bots/${account.botId}/channels/waba_coexistence`);
    const body = { bot_id: account.botId, channel: 'waba_coexistence' };
    for (const call of [
      () => scene.admin.admin('POST', `templates/${id}/submit`, {}),
      () => scene.admin.admin('POST', 'templates/synchronize', body),
    ]) {
      await scene.expectRefused(call, 'VALIDATION_ERROR', ['channel']);
    }
  });
});

describe('the list of templates', () => {
  it('has those of one bot, channel and status exactly once over its pages', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    await connect(account.botId);
    const made: string[] = [];
    for (const name of ['b', 'a', 'c', 'd', 'e']) {
      made.push((await create({ bot_id: account.botId, name })).body.data.id as string);
    }
    const list = async (query: string): Promise<string[]> =>
      (await readPages(scene.admin, `templates?limit=2&bot_id=${account.botId}${query}`, 'templates')).map(
        ({ id }) => id,
      );
    expect(await list('')).toEqual(made);
    await scene.database.pool.query(`UPDATE templates SET status = 'approved' WHERE id = $1`, [made[2]]);
    expect(await list('&channel=waba_coexistence&status=approved')).toEqual([made[2]]);
    expect(await list('&channel=waba')).toEqual([]);
  });

  it('refuses a status that is none', async () => {
    const list = () => scene.admin.admin('GET', 'templates?status=x');
    await scene.expectRefused(list, 'VALIDATION_ERROR', ['status']);
  });
});

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
        phone_country: 'KZ',
      },
    ]);
  });

  it('lists those of one status, and of the bot’s id in either case', async () => {
    const upper = { bot_id: own.botId.toUpperCase(), status: 'draft' };
    expect((await call(upper)).body.data.templates).toHaveLength(3);
    expect((await call({ status: 'approved' })).body.data.templates).toEqual([]);
    // A channel that was never connected.
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

  it('refuses a channel that is none', async () => {
    await scene.expectRefused(() => call({ channel: 'WABA' }), 'VALIDATION_ERROR', ['channel']);
  });
});
