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

describe.each(Object.entries(MISDEEDS))('a provider that %s', (_, script) => {
  it('leaves a single message unknown: 502, one request, its quota kept', async () => {
    const used = await scene.account.quotaUsed();
    const phone = newPhone();
    scene.provider.on(phone, script);
    const { status, body } = await scene.send({ phone });
    expect([status, body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
    expect('provider_response' in body).toBe(true);
    expect(await scene.account.quotaUsed()).toBe(used + 1);
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
  });

  it('leaves its recipient of a list unknown, the others sent, and is asked once', async () => {
    const phones = newPhones(3);
    scene.provider.on(phones[1] as string, script);
    const { body } = await scene.send(phones.map((phone) => ({ phone })));
    expect(body.data).toMatchObject({ sent: 2, unknown: 1, failed: 0, queued: 0 });
    expect(body.data.results[1]).toMatchObject({ ok: false, status: 'unknown', error: 'PROVIDER_ERROR' });
    const again = await scene.send([{ phone: newPhone() }]);
    expect(again.body.data.sent).toBe(1);
    expect(scene.provider.sendsTo(phones[1] as string)).toHaveLength(1);
  });
});

it('what was received is shown: text as a string, JSON as it is, null where nothing came', async () => {
  const [text, json, nothing] = newPhones(3) as [string, string, string];
  scene.provider.on(text, (response) => answer(response, 503, 'try later'));
  scene.provider.on(json, (response) => answer(response, 500, { error: { code: 2 } }));
  scene.provider.on(nothing, () => undefined);
  const shown = async (phone: string): Promise<unknown> =>
    (await scene.send({ phone })).body.provider_response;
  expect(await shown(text)).toBe('try later');
  expect(await shown(json)).toEqual({ error: { code: 2 } });
  expect(await shown(nothing)).toBeNull();
});

it('a message whose claim has passed its deadline becomes unknown', async () => {
  const phone = newPhone();
  const { body } = await scene.send([{ phone }]);
  const { id } = body.data.results[0];
  await scene.database.pool.query(
    `UPDATE messages SET status = 'sending', claim_token = gen_random_uuid(), claim_until = clock_timestamp() - interval '1 s' WHERE id = $1`,
    [id],
  );
  await scene.untilStatus(id, 'unknown');
});

describe('a connection that was never made', () => {
  it('is a definite failure of a single message: 502 without an answer, its quota given back', async () => {
    const server = await scene.addServer({ CLOUD_API_URL: 'http://127.0.0.1:1' });
    const used = await scene.account.quotaUsed();
    const { status, body } = await scene.send({ phone: newPhone() }, {}, { server: 1 });
    expect([status, body.error.code, body.provider_response]).toEqual([502, 'PROVIDER_ERROR', null]);
    expect(await scene.account.quotaUsed()).toBe(used);
    await server.stop();
    scene.servers.pop();
  });
});

it('one number whose provider hangs holds up no other', async () => {
  // At eighty a second, the list takes two seconds at the least.
  const hanging = newPhones(160);
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
    scene.provider.on(phone, () => undefined);
    const { body } = await scene.send([{ phone }]);
    expect(body.data.results[0].status).toBe('unknown');
    return { id: body.data.results[0].id, phone };
  }

  it('settles it as sent, and nothing is sent', async () => {
    const { id, phone } = await unknownMessage();
    const { status, body } = await scene.api.settleMessage(id, 'sent');
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ id, status: 'sent', error: null, changed: true }),
    ]);
    expect((await scene.api.getMessage(id)).body.data).toMatchObject({ status: 'sent', error: null });
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
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

  it('changes nothing of one that is not unknown, and shows its state', async () => {
    const { body } = await scene.send([{ phone: newPhone() }]);
    const { id } = body.data.results[0];
    const settled = await scene.api.settleMessage(id, 'failed');
    expect(settled.body.data).toMatchObject({ status: 'sent', error: null, changed: false });
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

  it('learns that only sent or failed may be said', async () => {
    const { id } = await unknownMessage();
    const { status, body } = await scene.api.settleMessage(id, 'delivered');
    expect([status, body.error.details]).toEqual([
      422,
      [{ path: 'outcome', message: expect.stringContaining('sent') as string }],
    ]);
    expect((await scene.api.getMessage(id)).body.data.status).toBe('unknown');
  });
});
