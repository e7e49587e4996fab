import type { Answer } from '../../support/clients/api.client';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { dumpOf } from '../../support/database/database.dump';
import { openScene, type Scene } from '../../support/scenes/base.scene';
import {
  StandInProvider,
  UNUSABLE,
  type Behaviour,
  type SeenRequest,
} from '../../support/stand-ins/provider.stand-in';

const CLOUD = {
  sender: '106540352242922',
  credential: 'EAAD-the-cloud-token',
  settings: { waba_id: '102290129340398' },
};
const GUPSHUP = {
  sender: '77015550100',
  credential: 'the-gupshup-key',
  settings: { app_id: 'a1a1a1a1-0000-4000-8000-000000000001', app_name: 'ClinicApp' },
};
const NUMBERS: Record<string, typeof CLOUD | typeof GUPSHUP> = { waba_coexistence: CLOUD, waba: GUPSHUP };
const CHANNELS = Object.keys(NUMBERS);

/** As a provider says whose a number is. */
const confirm: Behaviour = (response, { url }) => {
  const id = CLOUD.sender;
  const cloud = { data: [{ id, display_phone_number: '+7 727 000-00-00' }] };
  const gupshup = { status: 'success', phoneNumber: GUPSHUP.sender };
  response.end(JSON.stringify(url.startsWith('/wa/') ? gupshup : cloud));
};

let scene: Scene;
let provider: StandInProvider;

beforeAll(async () => {
  provider = await StandInProvider.open();
  scene = await openScene({
    environment: {
      CLOUD_API_URL: provider.url,
      GUPSHUP_API_URL: provider.url,
      PROVIDER_TIMEOUT_MS: '1500',
    },
  });
  provider.behave = confirm;
  for (const [channel, number] of Object.entries(NUMBERS)) {
    await scene.admin.admin('PUT', `bots/${scene.account.botId}/channels/${channel}`, number);
  }
});

beforeEach(() => provider.reset());

afterAll(async () => {
  await scene?.close();
  await provider?.close();
});

const test = (channel: string, bot = scene.account.botId): Promise<Answer> =>
  scene.admin.admin('POST', `bots/${bot}/channels/${channel}/test`, {});

describe('a number is tested by one request that reads', () => {
  it('its object at Meta, which names the phone', async () => {
    provider.answer(200, { id: CLOUD.sender, display_phone_number: '+7 727 000-00-00' });
    const { status, body } = await test('waba_coexistence');
    expect([status, body.data]).toEqual([
      200,
      { ok: true, checked_at: expect.stringMatching(/Z$/), number: '+77270000000' },
    ]);
    expect(provider.ledger.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
      ['GET', `/v26.0/${CLOUD.sender}?fields=id,display_phone_number`, ''],
    ]);
    expect(provider.ledger[0]?.headers.authorization).toBe(`Bearer ${CLOUD.credential}`);
  });

  it('one template of its app at Gupshup, which names no phone', async () => {
    provider.answer(200, { status: 'success', templates: [] });
    const { body } = await test('waba');
    expect(body.data).toEqual({ ok: true, checked_at: expect.stringMatching(/Z$/) });
    expect(provider.ledger.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
      ['GET', `/wa/app/${GUPSHUP.settings.app_id}/template?pageNo=0&pageSize=1`, ''],
    ]);
    expect(provider.ledger[0]?.headers.apikey).toBe(GUPSHUP.credential);
  });

  it.each(CHANNELS)('and nothing is written or sent by %s', async (channel) => {
    provider.answer(200, { id: CLOUD.sender, status: 'success', templates: [] });
    const { audit_entries: _entries, ...before } = await dumpOf(scene.database.pool);
    await test(channel);
    // But for who asked, in the audit.
    expect(await dumpOf(scene.database.pool)).toMatchObject(before);
    expect(provider.ledger.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('a number that does not work says why', () => {
  it.each([
    ['waba_coexistence', 401, { error: { code: 190, message: 'Invalid OAuth access token' } }],
    ['waba_coexistence', 400, { error: { code: 100, message: 'Object does not exist' } }],
    ['waba', 401, { status: 'error', message: 'Authentication Failed' }],
    ['waba', 200, { status: 'error', message: 'Invalid App Details' }],
  ])('in the words of the provider: %s, %i %j', async (channel, status, said) => {
    provider.answer(status, said);
    const { status: answered, body } = await test(channel);
    const { problem, ...rest } = body.data as { problem: string };
    expect([answered, rest]).toEqual([
      200,
      { ok: false, checked_at: expect.any(String), provider_response: said },
    ]);
    expect(problem).toMatch(/\w+/);
    // A test sends no template.
    expect(problem).not.toContain('template');
  });

  it.each(CHANNELS)('never with our credential, though the provider repeats it: %s', async (channel) => {
    const { credential } = NUMBERS[channel]!;
    provider.answer(401, {
      error: { code: 190, message: `bad ${credential}` },
      message: `bad ${credential}`,
    });
    const { text, body } = await test(channel);
    expect([body.data.ok, text.includes(credential)]).toEqual([false, false]);
    expect(text).toContain('***');
    expect(scene.server.output()).not.toContain(credential);
  });

  it('where the object is another number’s', async () => {
    provider.answer(200, { id: '1', display_phone_number: '+7 727 000-00-00' });
    expect((await test('waba_coexistence')).body.data).toMatchObject({ ok: false });
  });

  it.each(CHANNELS)('where the provider gives no usable answer: %s', async (channel) => {
    for (const name of ['no answer', 'garbage', 'a redirect', 'a 500']) {
      provider.behave = UNUSABLE[name]!;
      const { status, body } = await test(channel);
      expect([name, status, body.data.ok, typeof body.data.problem]).toEqual([name, 200, false, 'string']);
    }
  });
});

describe('a number that is to be connected', () => {
  const connect = (channel: string): Promise<Answer> =>
    scene.admin.admin('PUT', `bots/${scene.account.botId}/channels/${channel}`, NUMBERS[channel]);

  it('is asked for in the list of its business account, page by page, with the given credential', async () => {
    const page = (data: object[], more: object) => JSON.stringify({ data, paging: more });
    provider.behave = (response, { url }) =>
      void response.end(
        url.includes('after=NEXT')
          ? page([{ id: CLOUD.sender, display_phone_number: '+7 727 000-00-00' }], {})
          : page([{ id: '1' }], { cursors: { after: 'NEXT' }, next: 'https://evil.example/' }),
      );
    expect((await connect('waba_coexistence')).status).toBe(200);
    const path = `/v26.0/${CLOUD.settings.waba_id}/phone_numbers?fields=id%2Cdisplay_phone_number&limit=100`;
    expect(provider.ledger.map(({ method, url }) => [method, url])).toEqual([
      ['GET', path],
      ['GET', `${path}&after=NEXT`],
    ]);
    for (const { headers } of provider.ledger)
      expect(headers.authorization).toBe(`Bearer ${CLOUD.credential}`);
  });

  it('is asked for in the profile of its app', async () => {
    provider.behave = confirm;
    expect((await connect('waba')).status).toBe(200);
    expect(provider.ledger.map(({ method, url, headers }) => [method, url, headers.apikey])).toEqual([
      ['GET', `/wa/app/${GUPSHUP.settings.app_id}/business/profile`, GUPSHUP.credential],
    ]);
  });

  it.each(CHANNELS)('is 502 and unchanged where the provider does not say: %s', async (channel) => {
    const unsaid = ['a reset', 'garbage', 'an empty 200', 'a redirect', 'a 500'];
    const busy: Behaviour = (response) =>
      void response.writeHead(429).end('{"error":{"code":80007,"message":"x"}}');
    provider.behave = UNUSABLE['no answer']!;
    await expectRefused(scene.database.pool, () => connect(channel), [502, 'PROVIDER_ERROR']);
    for (const behave of [...unsaid.map((name) => UNUSABLE[name]!), busy]) {
      provider.behave = behave;
      const { status, body } = await connect(channel);
      expect([status, body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
    }
  });
});

describe('a test is refused', () => {
  it('where no number is connected', async () => {
    const bot = await scene.account.addBot();
    await scene.expectRefused(() => test('waba', bot), 'VALIDATION_ERROR', ['channel']);
    expect(provider.ledger).toEqual([]);
  });
});

let names = 0;

async function draft(channel = 'waba_coexistence'): Promise<{ id: string; name: string }> {
  const { body } = await scene.admin.admin('POST', 'templates', {
    ...{
      bot_id: scene.account.botId,
      channel,
      name: `template_${++names}`,
      language: 'ru',
      category: 'utility',
    },
    ...{ body: 'Здравствуйте, {{1}}! Ждём вас.', examples: { body: ['Айгуль'] } },
  });
  return body.data as { id: string; name: string };
}

const submit = (id: string): Promise<Answer> => scene.admin.admin('POST', `templates/${id}/submit`, {});
const read = async (id: string): Promise<object> =>
  (await scene.admin.admin('GET', `templates/${id}`)).body.data as object;
const synchronize = (channel = 'waba_coexistence'): Promise<Answer> =>
  scene.admin.admin('POST', 'templates/synchronize', { bot_id: scene.account.botId, channel });

it('a template that ten submit at once reaches the Cloud API once, with the number’s token', async () => {
  const { id, name } = await draft();
  provider.answer(200, { id: '1234567890', status: 'PENDING', category: 'UTILITY' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => submit(id)));
  expect(answers.map(({ status, body }) => [status, body.data.status as string])).toEqual(
    answers.map(() => [200, 'pending']),
  );
  expect(provider.ledger).toHaveLength(1);
  const [{ url, headers, body }] = provider.ledger as [SeenRequest];
  expect([url, headers.authorization]).toEqual([
    expect.stringMatching(/^\/v\d+\.0\/102290129340398\/message_templates$/),
    'Bearer EAAD-the-cloud-token',
  ]);
  expect(JSON.parse(body)).toMatchObject({ name, language: 'ru', category: 'UTILITY' });
  expect(await read(id)).toMatchObject({ status: 'pending', provider_id: '1234567890' });
});

it('a template that the provider refuses is a draft again, and its answer is shown, without the token', async () => {
  const { id } = await draft();
  const refusal = { error: { message: 'exists EAAD-the-cloud-token', code: 100, error_subcode: 2388024 } };
  provider.answer(400, refusal);
  const { status, body, text } = await submit(id);
  expect([status, body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
  expect((body as unknown as { provider_response: object }).provider_response).toMatchObject({
    error: { code: 100, error_subcode: 2388024 },
  });
  expect(await read(id)).toMatchObject({ status: 'draft', provider_id: null });
  expect(text + scene.server.output()).not.toContain('EAAD-the-cloud-token');
});

it('a template whose answer never comes is asked for once, stays pending, and a synchronisation settles it', async () => {
  const { id, name } = await draft();
  provider.behave = UNUSABLE['no answer']!;
  expect((await submit(id)).status).toBe(502);
  expect((await submit(id)).body.data.status).toBe('pending');
  expect(provider.ledger).toHaveLength(1);
  const listed = {
    ...{
      id: '77',
      name,
      language: 'ru',
      status: 'APPROVED',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
    },
    components: [{ type: 'BODY', text: 'Здравствуйте, {{1}}! Ждём вас.' }],
  };
  provider.answer(200, { data: [listed] });
  expect((await synchronize()).status).toBe(200);
  expect(await read(id)).toMatchObject({
    status: 'approved',
    provider_id: '77',
    reason: null,
    params_count: 1,
  });
});

it('a synchronisation that the provider refuses changes nothing', async () => {
  provider.answer(401, { error: { message: 'expired', code: 190 } });
  await expectRefused(scene.database.pool, () => synchronize(), [502, 'PROVIDER_ERROR']);
});

it('a template of Gupshup is created and synchronised at its app', async () => {
  const { id, name } = await draft('waba');
  const uuid = '3f0c1d52-0000-4a11-8c11-7f2d1b2c0001';
  provider.answer(200, { status: 'success', template: { id: uuid, status: 'PENDING' } });
  expect((await submit(id)).body.data).toMatchObject({ status: 'pending', provider_id: uuid });
  const [{ url, headers }] = provider.ledger as [SeenRequest];
  expect([url, headers.apikey]).toEqual([
    expect.stringContaining(GUPSHUP.settings.app_id),
    'the-gupshup-key',
  ]);
  const listed = {
    ...{ id: uuid, elementName: name, languageCode: 'ru', category: 'UTILITY', templateType: 'TEXT' },
    ...{ status: 'APPROVED', data: 'Здравствуйте, {{1}}! Ждём вас.' },
    containerMeta: JSON.stringify({ data: 'Здравствуйте, {{1}}! Ждём вас.' }),
  };
  provider.behave = (response, { url: asked }) => {
    const page = new URL(asked, provider.url).searchParams.get('pageNo') ?? '0';
    response.end(JSON.stringify({ status: 'success', templates: page === '0' ? [listed] : [] }));
  };
  const { body } = await synchronize('waba');
  expect(body.data).toEqual({ listed: 1, unreadable: 0, added: 0, changed: 1, disabled: 0 });
  expect(await read(id)).toMatchObject({ status: 'approved' });
});
