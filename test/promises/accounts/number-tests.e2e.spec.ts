import { randomUUIDv7 } from 'node:crypto';
import type { Answer } from '../../support/clients/api.client';
import { dumpOf } from '../../support/database/database.dump';
import { AdminScene } from '../../support/scenes/admin.scene';
import { StandInProvider, UNUSABLE } from '../../support/stand-ins/provider.stand-in';

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

let scene: AdminScene;
let provider: StandInProvider;

beforeAll(async () => {
  provider = await StandInProvider.open();
  scene = await AdminScene.open({
    CLOUD_API_URL: provider.url,
    GUPSHUP_API_URL: provider.url,
    PROVIDER_TIMEOUT_MS: '1000',
  });
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
      ['GET', `/v25.0/${CLOUD.sender}?fields=id,display_phone_number`, ''],
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
    for (const name of ['no answer', 'a reset', 'garbage', 'an empty 200', 'a redirect', 'a 500']) {
      provider.behave = UNUSABLE[name]!;
      const { status, body } = await test(channel);
      expect([name, status, body.data.ok, typeof body.data.problem]).toEqual([name, 200, false, 'string']);
    }
  });
});

describe('a test is refused', () => {
  it('where no number is connected', async () => {
    const bot = await scene.account.addBot();
    await scene.expectRefused(() => test('waba', bot), 'VALIDATION_ERROR', ['channel']);
    expect(provider.ledger).toEqual([]);
  });

  it('for a channel that does not exist', async () => {
    await scene.expectRefused(() => test('sms'), 'VALIDATION_ERROR', ['channel']);
  });

  it('for a bot that does not exist', async () => {
    for (const id of [randomUUIDv7(), 'malformed']) {
      await scene.expectRefused(() => test('waba', id), 'BOT_NOT_FOUND');
    }
  });
});
