import { MAGIC_NUMBERS, type MagicName } from '@app/contracts/magic-numbers';
import { request as undiciRequest } from 'undici';
import {
  CLOUD,
  cloudBody,
  gupshupForm,
  setSandboxScene,
} from '../../../../test/support/scenes/sandbox.scene';

const scene = setSandboxScene();

const CHANNELS = ['waba_coexistence', 'waba'] as const;
type Channel = (typeof CHANNELS)[number];

const phoneOf = (name: MagicName): string => MAGIC_NUMBERS.find((magic) => magic.name === name)?.phone ?? '';

const send = (channel: Channel, phone: string): Promise<Response> =>
  channel === 'waba'
    ? scene.gupshup('template/msg', gupshupForm(phone))
    : scene.cloud(cloudBody(phone, { name: 'plain', biz_opaque_callback_data: `ref-${phone}` }));

/** States as both channels report them, in order of arrival, without Gupshup's `enqueued`. */
const statesOf = (channel: Channel, phone: string): { state: string; code?: number }[] =>
  channel === 'waba'
    ? scene.receiver
        .events(phone.slice(1))
        .filter(({ payload }) => payload.type !== 'enqueued')
        .map(({ payload }) => ({
          state: payload.type,
          ...(payload.payload.code ? { code: payload.payload.code } : {}),
        }))
    : scene.receiver
        .statuses(`ref-${phone}`)
        .map(({ status, errors }) => ({ state: status, ...(errors ? { code: errors[0].code } : {}) }));

async function untilStates(channel: Channel, phone: string, count: number) {
  return scene.receiver.until(() => {
    const states = statesOf(channel, phone);
    return states.length >= count && states;
  }, `${count} states of ${phone}`);
}

const taken = (channel: Channel, phone: string): number =>
  scene.sandbox.ledger
    .list({ phone })
    .filter((entry) => entry.channel === channel && entry.outcome.startsWith('taken')).length;

const errorOf = async (answer: Response): Promise<{ code?: number; message: string }> => {
  const body = (await answer.json()) as { error?: { code: number; message: string }; message: string };
  return body.error ?? { message: body.message };
};

const states = (...names: string[]) => names.map((state) => ({ state }));
const cases = <T extends readonly unknown[]>(rows: readonly T[]) =>
  CHANNELS.flatMap((channel) => rows.map((row) => [...row, channel] as const));

it('magic phones are of the documented range, and each has its own phone and name', () => {
  for (const { phone } of MAGIC_NUMBERS) expect(phone).toMatch(/^\+770055500\d\d$/);
  expect(new Set(MAGIC_NUMBERS.map(({ phone }) => phone)).size).toBe(MAGIC_NUMBERS.length);
  expect(new Set(MAGIC_NUMBERS.map(({ name }) => name)).size).toBe(MAGIC_NUMBERS.length);
});

describe('a magic phone', () => {
  it.each(
    cases([
      ['undeliverable', 131026, 131026],
      ['marketing-cap', 131049, 131049],
      ['opted-out', 131050, 131050],
      ['experiment', 130472, 130472],
      ['billing-later', 131042, 1003],
    ] as const),
  )('%s (%d, %d) is taken, then failed: %s', async (name, cloudCode, gupshupCode, channel) => {
    const phone = phoneOf(name);
    expect((await send(channel, phone)).ok).toBe(true);
    const code = channel === 'waba' ? gupshupCode : cloudCode;
    expect(await untilStates(channel, phone, 1)).toEqual([{ state: 'failed', code }]);
    expect(taken(channel, phone)).toBe(1);
  });

  it.each([
    ['billing-at-once', 'waba_coexistence', 400, 131042, /payment/],
    ['billing-at-once', 'waba', 400, undefined, /wallet/],
    ['wrong-number', 'waba_coexistence', 400, 131009, /Parameter value is not valid/],
    ['wrong-number', 'waba', 400, undefined, /^Invalid Destination$/],
    ['opted-out-at-once', 'waba_coexistence', 400, 131050, /stopped/],
    ['server-error-not-taken', 'waba_coexistence', 503, 2, /unavailable/],
    ['server-error-not-taken', 'waba', 500, undefined, /^Internal Server Error$/],
  ] as const)('%s is refused: %s %d %s', async (name, channel, status, code, message) => {
    const phone = phoneOf(name);
    const answer = await send(channel, phone);
    expect(answer.status).toBe(status);
    const error = await errorOf(answer);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(taken(channel, phone)).toBe(0);
  });

  it('opted-out-at-once fails at Gupshup before Meta is asked', async () => {
    await send('waba', phoneOf('opted-out-at-once'));
    expect(await untilStates('waba', phoneOf('opted-out-at-once'), 1)).toEqual([
      { state: 'failed', code: 131050 },
    ]);
  });

  it.each([
    ['throttled', 'waba_coexistence', 429, '1', 130429],
    ['throttled', 'waba', 429, '1', undefined],
    ['throttled-without-time', 'waba_coexistence', 400, null, 130429],
    ['throttled-without-time', 'waba', 429, null, undefined],
  ] as const)(
    '%s (%s) refuses twice, then accepts, then starts over',
    async (name, channel, status, wait, code) => {
      const phone = phoneOf(name);
      for (let round = 0; round < 2; round += 1) {
        const answer = await send(channel, phone);
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, wait]);
        expect((await errorOf(answer)).code).toBe(code);
      }
      expect((await send(channel, phone)).ok).toBe(true);
      expect(taken(channel, phone)).toBe(1);
      expect((await send(channel, phone)).status).toBe(status);
    },
  );

  it('pair-limit refuses once on the Cloud API', async () => {
    const phone = phoneOf('pair-limit');
    const answer = await send('waba_coexistence', phone);
    expect([answer.status, (await errorOf(answer)).code]).toEqual([400, 131056]);
    expect((await send('waba_coexistence', phone)).ok).toBe(true);
    expect(taken('waba_coexistence', phone)).toBe(1);
  });

  it('pair-limit fails once at Gupshup', async () => {
    const phone = phoneOf('pair-limit');
    await send('waba', phone);
    expect(await untilStates('waba', phone, 1)).toEqual([{ state: 'failed', code: 131056 }]);
    await send('waba', phone);
    expect((await untilStates('waba', phone, 4)).slice(1)).toEqual(states('sent', 'delivered', 'read'));
  });

  it.each(
    cases([
      ['delivered-skipped', ['sent', 'read']],
      ['states-reversed', ['read', 'delivered', 'sent']],
      ['states-doubled', ['delivered', 'delivered', 'read', 'read', 'sent', 'sent']],
      ['state-before-answer', ['sent', 'delivered', 'read']],
      ['never-read', ['sent', 'delivered']],
      ['only-sent', ['sent']],
    ] as const),
  )('%s tells %j: %s', async (name, expected, channel) => {
    const phone = phoneOf(name);
    expect((await send(channel, phone)).ok).toBe(true);
    const told = await untilStates(channel, phone, expected.length);
    // A state that is reported twice comes together with the next one, in either order.
    const seen = name === 'states-doubled' ? [...told].sort((a, b) => a.state.localeCompare(b.state)) : told;
    expect(seen).toEqual(states(...expected));
  });

  it.each([['only-sent'], ['never-read']] as const)(
    '%s stays so when a person opens its chat',
    async (name) => {
      const phone = phoneOf(name);
      const before = await untilStates('waba_coexistence', phone, 1);
      await fetch(`${scene.sandbox.url}/handset/api/read`, {
        method: 'POST',
        body: JSON.stringify({ sender: CLOUD.sender, phone }),
      });
      // A later message goes through all its states. By then this one's `read` would have been reported.
      const later = '+77010000099';
      await send('waba_coexistence', later);
      await untilStates('waba_coexistence', later, 3);
      expect(statesOf('waba_coexistence', phone)).toEqual(expect.arrayContaining(before));
      expect(statesOf('waba_coexistence', phone)).not.toContainEqual({ state: 'read' });
    },
  );

  it.each(cases([['failed-after-sent']] as const))('%s: %s', async (name, channel) => {
    await send(channel, phoneOf(name));
    expect(await untilStates(channel, phoneOf(name), 2)).toEqual([
      { state: 'sent' },
      { state: 'failed', code: 131026 },
    ]);
  });

  it.each(CHANNELS.map((channel) => [channel]))(
    'state-before-answer has reported sent when the answer comes: %s',
    async (channel) => {
      const phone = phoneOf('state-before-answer');
      const before = statesOf(channel, phone).filter(({ state }) => state === 'sent').length;
      await send(channel, phone);
      expect(statesOf(channel, phone).filter(({ state }) => state === 'sent')).toHaveLength(before + 1);
    },
  );
});

describe('a magic phone that loses its answer', () => {
  /** The message was accepted: its states arrive, matched by the reference or by the destination. */
  async function expectTaken(channel: Channel, name: MagicName): Promise<void> {
    const phone = phoneOf(name);
    expect(taken(channel, phone)).toBe(1);
    const told = await untilStates(channel, phone, 3);
    // Webhooks are sent in parallel, as by the real providers.
    expect(told).toEqual(expect.arrayContaining(states('sent', 'delivered', 'read')));
  }

  it.each(CHANNELS.map((channel) => [channel]))('server-error: %s', async (channel) => {
    expect((await send(channel, phoneOf('server-error'))).status).toBe(channel === 'waba' ? 500 : 503);
    await expectTaken(channel, 'server-error');
  });

  it.each(CHANNELS.map((channel) => [channel]))('garbage: %s', async (channel) => {
    const answer = await send(channel, phoneOf('garbage'));
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow('is not valid JSON');
    await expectTaken(channel, 'garbage');
  });

  it.each(CHANNELS.map((channel) => [channel]))('without-id: %s', async (channel) => {
    const answer = await send(channel, phoneOf('without-id'));
    expect(answer.ok).toBe(true);
    expect(await answer.text()).not.toMatch(/wamid|messageId/);
    await expectTaken(channel, 'without-id');
  });

  it.each(CHANNELS.map((channel) => [channel]))('redirect: %s, and who follows is seen', async (channel) => {
    const answer = await send(channel, phoneOf('redirect'));
    expect(answer.status).toBe(307);
    await expectTaken(channel, 'redirect');
    await fetch(new URL(answer.headers.get('location') ?? '', scene.sandbox.url), {
      method: 'POST',
      body: 'again',
    });
    expect(scene.sandbox.ledger.list().at(-1)).toMatchObject({ type: 'redirected', text: 'again' });
  });

  it.each(CHANNELS.map((channel) => [channel]))('reset: %s', async (channel) => {
    await expect(send(channel, phoneOf('reset'))).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await expectTaken(channel, 'reset');
  });

  it.each(CHANNELS.map((channel) => [channel]))('hang: %s', async (channel) => {
    const answer = send(channel, phoneOf('hang')).then(
      () => 'answered',
      () => 'gone',
    );
    await untilStates(channel, phoneOf('hang'), 3);
    await expectTaken(channel, 'hang');
    expect(await Promise.race([answer, Promise.resolve('open')])).toBe('open');
  });

  it('huge: 100 MB', async () => {
    const { statusCode, body } = await undiciRequest(`${scene.sandbox.url}/v26.0/${CLOUD.sender}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLOUD.token}` },
      body: JSON.stringify(
        cloudBody(phoneOf('huge'), { name: 'plain', biz_opaque_callback_data: `ref-${phoneOf('huge')}` }),
      ),
    });
    expect(statusCode).toBe(200);
    let size = 0;
    for await (const chunk of body) size += (chunk as Buffer).length;
    expect(size).toBeGreaterThan(100_000_000);
    await expectTaken('waba_coexistence', 'huge');
  });
});
