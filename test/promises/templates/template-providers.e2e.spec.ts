import { AdminScene } from '../../support/scenes/admin.scene';
import type { Answer } from '../../support/clients/api.client';
import { StandInProvider, UNUSABLE, type SeenRequest } from '../../support/stand-ins/provider.stand-in';
import { expectRefused } from '../../support/clients/refusal.expectation';

const CLOUD = {
  sender: '106540352242922',
  credential: 'the-cloud-token',
  settings: { waba_id: '102290129340398' },
};
const GUPSHUP = {
  sender: '77015550100',
  credential: 'the-gupshup-key',
  settings: { app_id: 'a1a1a1a1-0000-4000-8000-000000000001', app_name: 'ClinicApp' },
};

let scene: AdminScene;
let provider: StandInProvider;
let names = 0;

beforeAll(async () => {
  provider = await StandInProvider.open();
  scene = await AdminScene.open({
    CLOUD_API_URL: provider.url,
    GUPSHUP_API_URL: provider.url,
    PROVIDER_TIMEOUT_MS: '1500',
  });
  const channels = { waba_coexistence: CLOUD, waba: GUPSHUP };
  for (const [channel, number] of Object.entries(channels)) {
    await scene.admin.admin('PUT', `bots/${scene.account.botId}/channels/${channel}`, number);
  }
});

beforeEach(() => {
  provider.reset();
});

afterAll(async () => {
  await scene?.close();
  await provider?.close();
});

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
    'Bearer the-cloud-token',
  ]);
  expect(JSON.parse(body)).toMatchObject({ name, language: 'ru', category: 'UTILITY' });
  expect(await read(id)).toMatchObject({ status: 'pending', provider_id: '1234567890' });
});

it('a template that the provider refuses is a draft again, and its answer is shown, without the token', async () => {
  const { id } = await draft();
  const refusal = { error: { message: 'exists the-cloud-token', code: 100, error_subcode: 2388024 } };
  provider.answer(400, refusal);
  const { status, body, text } = await submit(id);
  expect([status, body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
  expect((body as unknown as { provider_response: object }).provider_response).toMatchObject({
    error: { code: 100, error_subcode: 2388024 },
  });
  expect(await read(id)).toMatchObject({ status: 'draft', provider_id: null });
  expect(text + scene.server.output()).not.toContain('the-cloud-token');
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
  expect(body.data).toEqual({ listed: 1, added: 0, changed: 1, disabled: 0 });
  expect(await read(id)).toMatchObject({ status: 'approved' });
});
