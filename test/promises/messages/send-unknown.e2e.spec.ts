import { SHORT_TIMES } from '../../support/programs/test.limits';
import { eventually } from '../../support/eventually';
import { answer, type Script } from '../../support/stand-ins/scripted.provider';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';

const TIMEOUT_MS = 3_000;
const scene = setSendScene({ environment: { ...SHORT_TIMES, PROVIDER_TIMEOUT_MS: String(TIMEOUT_MS) } });

const isAsked = (phone: string): boolean => scene.provider.sendsTo(phone).length > 0;

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');

/** What a provider may do after it has taken a message whole. */
const MISDEEDS: Record<string, Script> = {
  'takes it and says nothing': () => undefined,
  'takes it and resets the connection': (response) => void response.socket?.resetAndDestroy(),
  'takes it and closes the connection': (response) => void response.socket?.end(),
  'begins an answer and stops': (response) =>
    void response.writeHead(200, { 'Content-Length': '100' }).write('{"mess'),
  'answers 200 with garbage': (response) => answer(response, 200, '<html>fine</html>'),
  'answers 200 without an id': (response) =>
    answer(response, 200, { messaging_product: 'whatsapp', messages: [] }),
  'answers 500 with an error of its own': (response) =>
    answer(response, 500, { error: { code: 131000, message: 'x' } }),
  'answers 503': (response) => answer(response, 503, 'try later'),
  redirects: (response) => void response.writeHead(307, { Location: '/v26.0/1/messages' }).end(),
  'answers with a hundred megabytes': async (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    for (let n = 0; n < 100 && !response.destroyed; n++) {
      if (!response.write(MEGABYTE)) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    response.end();
  },
};

const NAMES = Object.keys(MISDEEDS);

/** A phone for each misdeed, whose provider does it. */
function phonesOfMisdeeds(): string[] {
  const phones = newPhones(NAMES.length);
  for (const [n, name] of NAMES.entries()) scene.provider.on(phones[n] as string, MISDEEDS[name] as Script);
  return phones;
}

/** By the names of the misdeeds. */
const byName = <T>(all: readonly T[]): Record<string, T> =>
  Object.fromEntries(NAMES.map((name, n) => [name, all[n] as T]));

/** What was received: text as a string, JSON as it is, null where nothing came. Of the others something. */
const RECEIVED: Record<string, unknown> = {
  'takes it and says nothing': null,
  'takes it and resets the connection': null,
  'answers 503': 'try later',
  'answers 500 with an error of its own': { error: { code: 131000, message: 'x' } },
};

describe('a provider that takes a message and does anything but accept or refuse it', () => {
  it('leaves a single message unknown: 502 with what was received, one request, its quota kept', async () => {
    const used = await scene.account.quotaUsed();
    const phones = phonesOfMisdeeds();
    const answers = await Promise.all(phones.map((phone) => scene.send({ phone })));
    const told = answers.map(({ status, body }) => [status, body.error?.code, 'provider_response' in body]);
    expect(byName(told)).toEqual(byName(NAMES.map(() => [502, 'PROVIDER_ERROR', true])));
    expect(byName(answers.map(({ body }): unknown => body.provider_response))).toMatchObject(RECEIVED);
    expect(await scene.account.quotaUsed()).toBe(used + NAMES.length);
    expect(await scene.statuses()).toEqual({ unknown: NAMES.length });
    // What waits at the number goes out before what comes later.
    expect((await scene.send([{ phone: newPhone() }])).body.data.sent).toBe(1);
    expect(byName(phones.map((phone) => scene.provider.sendsTo(phone).length))).toEqual(
      byName(NAMES.map(() => 1)),
    );
  });

  it('leaves its recipient of a list unknown, the others sent, and is asked once', async () => {
    const phones = phonesOfMisdeeds();
    const to = [newPhone(), ...phones, newPhone()].map((phone) => ({ phone }));
    const { body } = await scene.send(to);
    expect(body.data).toMatchObject({ sent: 2, unknown: NAMES.length, failed: 0, queued: 0 });
    const results = (body.data.results as { ok: boolean; status: string; error: string }[]).slice(1, -1);
    expect(byName(results.map(({ ok, status, error }) => [ok, status, error]))).toEqual(
      byName(NAMES.map(() => [false, 'unknown', 'PROVIDER_ERROR'])),
    );
    expect((await scene.send([{ phone: newPhone() }])).body.data.sent).toBe(1);
    expect(byName(phones.map((phone) => scene.provider.sendsTo(phone).length))).toEqual(
      byName(NAMES.map(() => 1)),
    );
  });
});

it('one number whose provider hangs holds up no other', async () => {
  // With eighty in flight, the list takes the time of two that hang.
  const hanging = newPhones(100);
  for (const phone of hanging) scene.provider.on(phone, () => undefined);
  const botId = await scene.account.addBot();
  await scene.account.connect('waba_coexistence', { botId });
  const key = await scene.account.addKey({ botIds: [botId] });
  const order = { bot_id: botId, channel: 'waba_coexistence', template_id: 't', to: [{ phone: newPhone() }] };
  let over = false;
  const slow = scene.send(hanging.map((phone) => ({ phone }))).finally(() => (over = true));
  await eventually(async () => hanging.some(isAsked), 5_000, 'nothing hangs');
  const { body } = await scene.apiAt(0, key).sendTemplate(order);
  expect([body.data.sent, over]).toEqual([1, false]);
  expect((await slow).body.data).toMatchObject({ unknown: hanging.length });
});

describe('a person who found out what became of an unknown message', () => {
  async function unknownMessage(): Promise<{ id: string; phone: string }> {
    const phone = newPhone();
    scene.provider.on(phone, (response) => void response.socket?.resetAndDestroy());
    const { body } = await scene.send([{ phone }]);
    expect(body.data.results[0].status).toBe('unknown');
    return { id: body.data.results[0].id, phone };
  }

  it('settles it as sent, and nothing is sent; once settled it is changed no more', async () => {
    const { id, phone } = await unknownMessage();
    const { status, body } = await scene.api.settleMessage(id, 'sent');
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ id, status: 'sent', error: null, changed: true }),
    ]);
    expect((await scene.api.getMessage(id)).body.data).toMatchObject({ status: 'sent', error: null });
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
    const settled = await scene.api.settleMessage(id, 'failed');
    expect(settled.body.data).toMatchObject({ status: 'sent', error: null, changed: false });
  });

  it('settles it as failed, with the reason, and its quota kept', async () => {
    const { id } = await unknownMessage();
    const used = await scene.account.quotaUsed();
    expect((await scene.api.settleMessage(id, 'failed')).body.data).toMatchObject({
      status: 'failed',
      error: {
        code: 'PROVIDER_ERROR',
        message: 'A person found that it did not go out.',
        provider_code: null,
      },
    });
    expect(await scene.account.quotaUsed()).toBe(used);
  });

  it('is one of two at once, which both show its state', async () => {
    const { id } = await unknownMessage();
    const answers = await Promise.all(
      (['sent', 'failed'] as const).map((outcome) => scene.api.settleMessage(id, outcome)),
    );
    const data = answers.map(({ body }) => body.data as { changed: boolean; status: string });
    expect(data.map(({ changed }) => changed).sort()).toEqual([false, true]);
    expect(data[0]?.status).toBe(data[1]?.status);
  });
});
