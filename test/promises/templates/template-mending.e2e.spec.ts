import type { GovernedTemplate } from '@app/domain/templates/template.presenter';
import { openScene, type Scene } from '../../support/scenes/base.scene';
import type { Answer } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { CLOUD, GUPSHUP, openSandboxScene, type SandboxScene } from '../../support/scenes/sandbox.scene';
import { image } from '../../support/media.samples';
import { WebhookSender } from '../../support/clients/webhook.sender';
import { UploadClient } from '../../support/clients/upload.client';
import { AccountFixture } from '../../support/database/fixture';
import { SECRETS } from '../../support/programs/server.process';

const NUMBERS = {
  waba_coexistence: {
    sender: CLOUD.sender,
    credential: CLOUD.token,
    settings: { waba_id: CLOUD.businessId },
  },
  waba: {
    sender: GUPSHUP.sender,
    credential: GUPSHUP.token,
    settings: { app_id: GUPSHUP.appId, app_name: GUPSHUP.appName },
  },
};
type Channel = keyof typeof NUMBERS;

/** A change and a submission at once. */
const ROUNDS = IS_LONG ? 10 : 4;

let providers: SandboxScene;
let scene: Scene;
let names = 0;

beforeAll(async () => {
  providers = await openSandboxScene({
    cloud: { appSecret: SECRETS.CLOUD_API_APP_SECRET },
    moderationMs: 50,
  });
  const { url } = providers.sandbox;
  scene = await openScene({ environment: { ...SECRETS, CLOUD_API_URL: url, GUPSHUP_API_URL: url } });
  for (const [channel, number] of Object.entries(NUMBERS)) {
    await scene.admin.admin('PUT', `bots/${scene.account.botId}/channels/${channel}`, number);
  }
});

beforeEach(() => {
  const gupshup = `${scene.server.url}/webhooks/gupshup/${scene.account.botId}`;
  providers.sandbox.setWebhooks({
    cloud: `${scene.server.url}/webhooks/whatsapp`,
    gupshup: { [GUPSHUP.sender]: `${gupshup}?token=${SECRETS.GUPSHUP_WEBHOOK_TOKEN}` },
  });
});

/** What a test has caused is over: the next one's refusals are seen to change nothing. */
afterEach(() =>
  eventually(
    async () => {
      const { rows } = await scene.database.pool.query(
        `SELECT 1 FROM webhook_deliveries WHERE state = 'due'`,
      );
      return rows.length === 0;
    },
    10_000,
    'webhooks were not taken in',
  ),
);

afterAll(async () => {
  await scene?.close();
  await providers?.close();
});

const read = async (id: string): Promise<GovernedTemplate> =>
  (await scene.admin.admin('GET', `templates/${id}`)).body.data as GovernedTemplate;
const mend = (id: string, change: object): Promise<Answer> =>
  scene.admin.admin('PATCH', `templates/${id}`, change);
const submit = (id: string): Promise<Answer> => scene.admin.admin('POST', `templates/${id}/submit`, {});

const untilStatus = (id: string, status: string): Promise<unknown> =>
  eventually(async () => (await read(id)).status === status, 10_000, `the template did not become ${status}`);

/** A draft with everything that can be changed. */
async function draft(channel: Channel = 'waba_coexistence', change: object = {}): Promise<string> {
  const { status, body } = await scene.admin.admin('POST', 'templates', {
    ...{ bot_id: scene.account.botId, channel, name: `template_${++names}`, category: 'utility' },
    ...{ header: { format: 'text', text: 'Запись' }, body: 'Здравствуйте, {{1}}! Ждём вас.' },
    ...{
      footer: 'Клиника',
      buttons: [{ type: 'quick_reply', text: 'Приду' }],
      examples: { body: ['Айгуль'] },
    },
    ...change,
  });
  expect(status).toBe(201);
  return body.data.id as string;
}

/** The word makes the stand-ins' moderation reject it. */
async function rejected(channel: Channel = 'waba_coexistence'): Promise<string> {
  const id = await draft(channel, { body: 'Здравствуйте, {{1}}! reject', examples: { body: ['Айгуль'] } });
  expect((await submit(id)).body.data.status).toBe('pending');
  await untilStatus(id, 'rejected');
  return id;
}

describe('a rejected template', () => {
  it.each(['waba_coexistence', 'waba'] as const)(
    'of %s is changed, submitted again by one edit at the provider, and approved with its new words',
    async (channel) => {
      const id = await rejected(channel);
      const { provider_id, name } = await read(id);
      const change = {
        category: 'marketing',
        header: null,
        body: 'Добрый день, {{1}}! Ждём вас в {{2}} часов.',
        footer: 'Чтобы отписаться, напишите СТОП',
        buttons: [{ type: 'quick_reply', text: 'Да' }],
        examples: { body: ['Айгуль', '15'] },
      };
      const mended = await mend(id, change);
      expect([mended.status, mended.body.data]).toMatchObject([
        200,
        { ...change, id, name, provider_id, status: 'rejected', params_count: 2 },
      ]);
      expect((await submit(id)).body.data).toMatchObject({ status: 'pending', provider_id, reason: null });
      await untilStatus(id, 'approved');
      expect(await read(id)).toMatchObject({ ...change, provider_id, reason: null });
      const calls = providers.sandbox.ledger.list().filter(({ template }) => template === name);
      expect(calls.map(({ type, text }) => [type, text])).toEqual([
        ['create-template', 'Здравствуйте, {{1}}! reject'],
        ['edit-template', change.body],
      ]);
      const { body } = await scene.admin.admin('POST', 'templates/synchronize', {
        bot_id: scene.account.botId,
        channel,
      });
      expect(body.ok).toBe(true);
      expect(await read(id)).toMatchObject({ ...change, status: 'approved' });
    },
  );

  it('that asks for it is rejected again, and may be changed once more; whose edit the provider refuses, it stays rejected', async () => {
    const id = await rejected();
    const { provider_id } = await read(id);
    await mend(id, { footer: null });
    await submit(id);
    await untilStatus(id, 'rejected');
    expect((await mend(id, { body: 'Здравствуйте, {{1}}!!' })).status).toBe(200);
    // It was disabled there, and no report came.
    providers.sandbox.setWebhooks({ cloud: null, gupshup: {} });
    await fetch(`${providers.sandbox.url}/sandbox/templates/${String(provider_id)}`, {
      method: 'POST',
      body: JSON.stringify({ status: 'disabled' }),
    });
    const { status, body } = await submit(id);
    expect([status, body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
    expect(await read(id)).toMatchObject({
      status: 'rejected',
      provider_id,
      reason: expect.stringContaining('disabled') as unknown,
    });
  });
});

describe('a change of a template', () => {
  it('of a draft leaves what it does not name, and is read as it was made', async () => {
    const id = await draft();
    const before = await read(id);
    const { status, body } = await mend(id, { body: 'Привет!', examples: {} });
    expect([status, body.data]).toEqual([
      200,
      {
        ...before,
        body: 'Привет!',
        examples: { body: [] },
        params_count: 0,
        updated_at: expect.any(String) as unknown,
      },
    ]);
    expect(await read(id)).toEqual(body.data);
  });

  it('of a draft takes header, footer and buttons away', async () => {
    const id = await draft();
    const nothing = { header: null, footer: null, buttons: [] };
    expect((await mend(id, nothing)).body.data).toMatchObject({ ...nothing, params_count: 1 });
  });

  it('of a draft follows the names of its variables', async () => {
    const id = await draft('waba_coexistence', {
      parameter_format: 'named',
      body: 'Hello {{first_name}}!',
      examples: { body: ['Aida'] },
    });
    const change = { body: 'On {{day}} at {{place}}, {{day}}!', examples: { body: ['Monday', 'the desk'] } };
    expect((await mend(id, change)).body.data).toMatchObject({
      params_count: 2,
      param_names: ['day', 'place'],
    });
  });

  it('changes neither its name nor its language, nor whose it is', async () => {
    const id = await draft();
    const { name, language, template_id, bot_id, channel, parameter_format } = await read(id);
    const fixed = { name, language, template_id, bot_id, channel, parameter_format };
    const other = Object.fromEntries(Object.keys(fixed).map((field) => [field, 'other']));
    expect((await mend(id, other)).body.data).toMatchObject({ ...fixed, status: 'draft' });
  });

  it('to what moderation refuses unread, or without the samples of its variables, is refused', async () => {
    const id = await draft();
    for (const [change, paths] of [
      [{ body: '{{1}}', footer: 'x'.repeat(61) }, ['body', 'footer']],
      [{ body: 'Hi {{1}}, at {{2}}!' }, ['examples.body']],
      [{ examples: { body: [] } }, ['examples.body']],
    ] as const)
      await scene.expectRefused(() => mend(id, change), 'VALIDATION_ERROR', [...paths]);
  });

  it('that is pending, approved, paused or disabled is refused', async () => {
    const id = await draft();
    const { pool } = scene.database;
    for (const status of ['pending', 'approved', 'paused', 'disabled']) {
      await pool.query(`UPDATE templates SET status = $2 WHERE id = $1`, [id, status]);
      await expectRefused(pool, () => mend(id, { body: status }), [409, 'TEMPLATE_CONFLICT']);
    }
  });

  it('of ten at once is made or refused, and the last one that was made is kept', async () => {
    const id = await draft();
    const bodies = Array.from({ length: 10 }, (_, n) => `Здравствуйте, {{1}}! Нас ${n}.`);
    const answers = await Promise.all(bodies.map((body) => mend(id, { body })));
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken.length).toBeGreaterThan(0);
    const others = answers.filter(({ status }) => status !== 200);
    expect(others.map(({ body }) => body.error.code)).toEqual(others.map(() => 'TEMPLATE_CONFLICT'));
    expect(taken.map(({ body }) => body.data.body as string)).toContain((await read(id)).body);
  });

  it('at the same time as a submission is in what the provider gets, or is refused', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await draft();
      const body = `Здравствуйте, {{1}}! Раз ${round}.`;
      const [mended, submitted] = await Promise.all([mend(id, { body }), submit(id)]);
      expect(submitted.status).toBe(200);
      expect([200, 409]).toContain(mended.status);
      const { name } = await read(id);
      const sent = providers.sandbox.ledger.list().find(({ template }) => template === name)?.text;
      expect(sent).toBe(mended.status === 200 ? body : 'Здравствуйте, {{1}}! Ждём вас.');
      expect((await read(id)).body).toBe(sent);
    }
  });
});

describe('what Meta reports of a template by webhook', () => {
  const tell = async (field: string, value: object): Promise<void> => {
    const entry = [
      { id: CLOUD.businessId, time: Math.floor(Date.now() / 1_000), changes: [{ field, value }] },
    ];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    expect((await new WebhookSender(scene.server).meta(body)).status).toBe(200);
  };

  it('its status, quality and category, is in the registry', async () => {
    const id = await draft();
    await submit(id);
    await untilStatus(id, 'approved');
    const { provider_id, name, body } = await read(id);
    const which = {
      message_template_id: Number(provider_id),
      ...{ message_template_name: name, message_template_language: 'ru' },
    };
    const paused = { event: 'PAUSED', reason: null, other_info: { title: 'FIRST_PAUSE' } };
    await tell('message_template_status_update', { ...which, ...paused });
    await untilStatus(id, 'paused');
    expect((await read(id)).reason).toContain('FIRST_PAUSE');
    await tell('message_template_quality_update', { ...which, new_quality_score: 'RED' });
    await tell('template_category_update', { ...which, new_category: 'MARKETING' });
    await eventually(
      async () => {
        const { quality, category } = await read(id);
        return quality === 'red' && category === 'marketing';
      },
      10_000,
      'quality and category were not taken in',
    );
    expect(await read(id)).toMatchObject({ status: 'paused', body });
  });

  it('one that was made there is fetched as it is there', async () => {
    const name = `made_at_meta_${++names}`;
    const components = [
      { type: 'BODY', text: 'Здравствуйте, {{1}}! Ждём вас.', example: { body_text: [['Айгуль']] } },
      { type: 'FOOTER', text: 'Клиника' },
    ];
    const made = await fetch(`${providers.sandbox.url}/v26.0/${CLOUD.businessId}/message_templates`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLOUD.token}` },
      body: JSON.stringify({ name, language: 'ru', category: 'UTILITY', components }),
    });
    const { id: provider_id } = (await made.json()) as { id: string };
    // The stand-in approves it, and tells of that.
    const query = `templates?bot_id=${scene.account.botId}&channel=waba_coexistence&status=approved&limit=200`;
    const found = await eventually(
      async () => {
        const { body } = await scene.admin.admin('GET', query);
        return (body.data.templates as GovernedTemplate[]).find((one) => one.name === name);
      },
      15_000,
      'the template was not fetched',
    );
    expect(found).toMatchObject({
      ...{ provider_id, template_id: name, language: 'ru', category: 'utility', status: 'approved' },
      ...{ body: 'Здравствуйте, {{1}}! Ждём вас.', footer: 'Клиника', params_count: 1 },
    });
  });
});

describe('the sample of a header', () => {
  const upload = async (key = scene.account.key): Promise<string> => {
    const bytes = await image('png');
    const client = new UploadClient(scene.server.url, { 'X-API-Key': key });
    return (await client.upload({ bytes, name: 'offer.png' })).body.data.media.id as string;
  };
  const withSample = (mediaId: string, format = 'image') => ({
    header: { format },
    examples: { body: ['Айгуль'], media_id: mediaId },
  });

  it('is an upload of ours, which Meta gets at each submission, before it judges', async () => {
    const id = await draft('waba_coexistence', {
      ...withSample(await upload()),
      body: 'Здравствуйте, {{1}}! reject',
    });
    expect((await submit(id)).body).toMatchObject({ ok: true });
    await untilStatus(id, 'rejected');
    await mend(id, { body: 'Здравствуйте, {{1}}! Да.' });
    expect((await submit(id)).body).toMatchObject({ ok: true });
    await untilStatus(id, 'approved');
    const { name } = await read(id);
    const calls = providers.sandbox.ledger
      .list()
      .filter(({ text, template }) => [text, template].some((word) => word === 'offer.png' || word === name));
    expect(calls.map(({ type }) => type)).toEqual(['upload', 'create-template', 'upload', 'edit-template']);
  });

  it('is wanted by the stand-in as by Meta, and leaves the draft where it is missing', async () => {
    const id = await draft('waba_coexistence', { header: { format: 'image' } });
    const { status, body } = await submit(id);
    expect([status, body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
    expect((await read(id)).status).toBe('draft');
  });

  it('is of the header’s kind, of a channel that takes it, and named once', async () => {
    const id = await draft();
    const mediaId = await upload();
    for (const change of [
      withSample(mediaId, 'video'),
      { examples: { body: ['Айгуль'], media_id: mediaId } },
      { header: { format: 'image' }, examples: { body: ['Айгуль'], media_id: mediaId, header: '4::x' } },
      { header: { format: 'image' }, examples: { body: ['Айгуль'], media_id: '' } },
    ])
      await scene.expectRefused(() => mend(id, change), 'VALIDATION_ERROR', ['examples.media_id']);
    const atGupshup = await draft('waba');
    await scene.expectRefused(() => mend(atGupshup, withSample(mediaId)), 'VALIDATION_ERROR', [
      'examples.media_id',
    ]);
  });

  it('of another account, or deleted, is none', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    const id = await draft();
    for (const foreign of [await upload(other.key), 'none'])
      await scene.expectRefused(() => mend(id, withSample(foreign)), 'MEDIA_NOT_FOUND');
    const mediaId = await upload();
    expect((await mend(id, withSample(mediaId))).status).toBe(200);
    await scene.database.pool.query('DELETE FROM media WHERE id = $1', [mediaId]);
    await scene.expectRefused(() => submit(id), 'MEDIA_NOT_FOUND');
    expect((await read(id)).status).toBe('draft');
  });
});

describe('a template of one-time codes', () => {
  const draftOfCode = (channel: Channel, change: object = {}): Promise<Answer> =>
    scene.admin.admin('POST', 'templates', {
      ...{ bot_id: scene.account.botId, channel, name: `template_${++names}`, language: 'en' },
      ...{ category: 'authentication', add_security_recommendation: true, code_expiration_minutes: 10 },
      ...{ buttons: [{ type: 'otp', text: 'Copy code' }] },
      ...change,
    });

  it('is not made with words of its own, nor what belongs to it in another category', async () => {
    for (const [change, paths] of [
      [{ body: 'Your code is {{1}}, keep it.' }, ['body']],
      [
        { category: 'utility', body: 'Hello' },
        ['add_security_recommendation', 'code_expiration_minutes', 'buttons[0].type'],
      ],
    ] as const)
      await scene.expectRefused(() => draftOfCode('waba_coexistence', change), 'VALIDATION_ERROR', [
        ...paths,
      ]);
  });

  it('stays one, and none becomes one', async () => {
    const [code, other] = [
      ((await draftOfCode('waba_coexistence')).body.data as GovernedTemplate).id,
      await draft(),
    ];
    await scene.expectRefused(() => mend(code, { category: 'utility' }), 'VALIDATION_ERROR', ['category']);
    await scene.expectRefused(() => mend(other, { category: 'authentication' }), 'VALIDATION_ERROR', [
      'category',
    ]);
    await scene.expectRefused(() => mend(code, { body: 'My words' }), 'VALIDATION_ERROR', ['body']);
  });

  it('that was drafted with words, before WhatsApp refused them, is not submitted', async () => {
    const { id } = (await draftOfCode('waba_coexistence')).body.data as GovernedTemplate;
    await scene.database.pool.query(
      `UPDATE templates SET buttons = '[]', body = 'Code: {{1}}.' WHERE id = $1`,
      [id],
    );
    await scene.expectRefused(() => submit(id), 'VALIDATION_ERROR', ['buttons']);
  });

  it.each(['waba_coexistence', 'waba'] as const)(
    'of %s is made without words, approved with WhatsApp’s, and sent with the code in text and button',
    async (channel) => {
      const made = await draftOfCode(channel);
      expect([made.status, made.body.data]).toMatchObject([
        201,
        {
          body: '*{{1}}* is your verification code. For your security, do not share this code.',
          footer: 'This code expires in 10 minutes.',
          buttons: [{ type: 'otp', text: 'Copy code', otp_type: 'copy_code' }],
          ...{ params_count: 1, add_security_recommendation: true, code_expiration_minutes: 10 },
        },
      ]);
      const { id, template_id } = made.body.data as GovernedTemplate;
      const mended = await mend(id, { add_security_recommendation: false, code_expiration_minutes: null });
      expect(mended.body.data).toMatchObject({ body: '*{{1}}* is your verification code.', footer: null });
      await submit(id);
      await untilStatus(id, 'approved');
      const synchronised = await scene.admin.admin('POST', 'templates/synchronize', {
        ...{ bot_id: scene.account.botId, channel },
      });
      expect(synchronised.status).toBe(200);
      expect(await read(id)).toMatchObject({
        ...{ status: 'approved', add_security_recommendation: false, code_expiration_minutes: null },
        buttons: [{ type: 'otp', text: 'Copy code', otp_type: 'copy_code' }],
      });
      const phone = '+77015550137';
      const sent = await scene.api.sendTemplate({
        ...{ bot_id: scene.account.botId, channel, template_id, template_language: 'en' },
        to: { phone, params: ['482913'] },
      });
      expect([sent.status, sent.body.error]).toEqual([200, undefined]);
      const { id: messageId } = sent.body.data as { id: string };
      await eventually(
        async () => (await scene.api.getMessage(messageId)).body.data.status === 'read',
        10_000,
        'the code was not read',
      );
      const query = new URLSearchParams({ sender: NUMBERS[channel].sender, phone });
      const chat = await fetch(`${providers.sandbox.url}/handset/api/chat?${query.toString()}`);
      expect(((await chat.json()) as { messages: unknown[] }).messages).toMatchObject([
        {
          text: '*482913* is your verification code.',
          buttons: [{ type: 'copy_code', text: 'Copy code', value: '482913' }],
        },
      ]);
    },
  );
});
