import { randomUUIDv7 } from 'node:crypto';
import type { Answer } from '../../support/clients/api.client';
import type { BatchResult } from '@app/domain/messages/batch-answer.presenter';
import { CloudNumber, cloudBody, postCloud } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { accept, answer, refuse } from '../../support/stand-ins/scripted.provider';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';
import { AccountFixture, CREDENTIAL } from '../../support/database/fixture';

const scene = setSendScene();
const send = (...given: Parameters<typeof scene.send>) => scene.send(...given);

const resultsOf = ({ body }: Answer): BatchResult[] => body.data.results as BatchResult[];
const anyText = expect.any(String) as string;

describe('one recipient', () => {
  it('is answered with the ids of both sides and the dialog that was opened', async () => {
    const phone = newPhone();
    const { status, body } = await send({ phone });
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        data: {
          message_id: expect.stringMatching(/^wamid\./) as string,
          id: anyText,
          thread_id: expect.stringMatching(/^thread_/) as string,
          phone,
          status: 'sent',
        },
      },
    ]);
    const lead = await scene.api.getLead(body.data.thread_id);
    expect(lead.body.data).toMatchObject({
      phone,
      channel: 'WABA_COEXISTENCE',
      status: null,
      message_handler: 'AI',
    });
  });

  it('gets the template by name, language, values and our reference, by one request', async () => {
    const phone = newPhone();
    const { body } = await send({ phone, params: ['Айгуль', '15:30'] });
    const [received, second] = scene.provider.sendsTo(phone);
    expect(second).toBeUndefined();
    expect(received?.path).toBe(`/v26.0/${scene.sender}/messages`);
    expect(received?.headers.authorization).toBe(`Bearer ${CREDENTIAL}`);
    expect(received?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: phone,
      type: 'template',
      biz_opaque_callback_data: body.data.id,
      template: {
        name: 'order_ready',
        language: { code: 'ru' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Айгуль' },
              { type: 'text', text: '15:30' },
            ],
          },
        ],
      },
    });
  });

  it('gets a template without variables with an empty list of values', async () => {
    const phone = newPhone();
    expect((await send({ phone, params: [] })).status).toBe(200);
    expect(scene.provider.sendsTo(phone)[0]?.body.template).toEqual({
      name: 'order_ready',
      language: { code: 'ru' },
    });
  });

  it('gets the header and the buttons of its template', async () => {
    const phone = newPhone();
    const header = { type: 'image', link: 'https://example.com/a.png' };
    const buttons = [
      { type: 'url', index: 1, text: 'm' },
      { type: 'quick_reply', index: 0, payload: 'yes' },
    ];
    expect((await send({ phone, header, buttons })).status).toBe(200);
    const template = scene.provider.sendsTo(phone)[0]?.body.template as { components: object[] };
    expect(template.components).toEqual(
      expect.arrayContaining([
        { type: 'header', parameters: [{ type: 'image', image: { link: header.link } }] },
        { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'm' }] },
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '0',
          parameters: [{ type: 'payload', payload: 'yes' }],
        },
      ]),
    );
  });

  it('comes into the dialog of the phone that is open already', async () => {
    const phone = newPhone();
    const [first, second] = [await send({ phone }), await send({ phone })];
    expect(second.body.data.thread_id).toBe(first.body.data.thread_id);
  });

  it('opens one dialog when two are sent at once', async () => {
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send({ phone })));
    expect(new Set(answers.map(({ body }) => body.data.thread_id as string)).size).toBe(1);
  });

  it('is 502 with the answer of the provider where it refuses', async () => {
    const phone = newPhone();
    scene.provider.on(phone, refuse(400, 132000));
    const { status, body } = await send({ phone });
    expect(status).toBe(502);
    expect(body.error).toMatchObject({ code: 'PROVIDER_ERROR', status: 502 });
    expect(body.provider_response).toMatchObject({ error: { code: 132000 } });
  });

  it('is 502 BILLING_ERROR where the account cannot pay', async () => {
    const phone = newPhone();
    scene.provider.on(phone, refuse(400, 131042));
    const { status, body } = await send({ phone });
    expect([status, body.error.code]).toEqual([502, 'BILLING_ERROR']);
    expect(body.provider_response).toMatchObject({ error: { code: 131042 } });
  });

  it('is 502 with Retry-After where the provider throttles the number, which is then paused', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    await account.connect();
    const api = scene.apiAt(0, account.key);
    const order = { bot_id: account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    const [phone, other] = newPhones(2) as [string, string];
    scene.provider.on(phone, refuse(429, 130429, { 'Retry-After': '30' }));
    const refused = await api.sendTemplate({ ...order, to: { phone } });
    expect([refused.status, refused.body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
    expect(refused.headers.get('retry-after')).toBe('30');
    const resting = await api.sendTemplate({ ...order, to: { phone: other } });
    expect(resting.status).toBe(502);
    expect(Number(resting.headers.get('retry-after'))).toBeGreaterThan(20);
    expect(resting.body.provider_response).toBeNull();
    expect(scene.provider.sendsTo(other)).toHaveLength(0);
    expect((await send({ phone: newPhone() })).status).toBe(200);
  });

  it("is no error of ours in the log, which has the code and the provider's number, and no words", async () => {
    const phone = newPhone();
    scene.provider.on(phone, refuse(400, 132000));
    await send({ phone }, {}, { headers: { 'X-Request-Id': 'refused-4711' } });
    const lines = await eventually(
      async () => {
        const all = scene.server.output().split('\n');
        const found = all.filter((text) => text.includes('refused-4711'));
        return found.length > 0 && found;
      },
      5_000,
      'no line of the request',
    );
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', status: 502, code: 'PROVIDER_ERROR', provider_code: 132000 },
    ]);
    expect(scene.server.output()).not.toContain(phone.slice(1));
  });

  it('never shows our credential, whatever the provider answers', async () => {
    const phone = newPhone();
    scene.provider.on(phone, (response) =>
      answer(response, 400, { error: { code: 100, message: CREDENTIAL } }),
    );
    expect((await send({ phone })).text).not.toContain(CREDENTIAL);
  });
});

describe('a list', () => {
  it('is answered in the order asked, each recipient by itself', async () => {
    const phones = newPhones(5);
    scene.provider.on(phones[1] as string, refuse(400, 131026));
    const answered = await send(phones.map((phone) => ({ phone })));
    const { status, body } = answered;
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      batch_id: anyText,
      total: 5,
      sent: 4,
      failed: 1,
      queued: 0,
      unknown: 0,
    });
    expect(resultsOf(answered).map((result) => result.phone)).toEqual(phones);
    expect(body.data.results[1]).toEqual({
      index: 1,
      phone: phones[1],
      ok: false,
      id: anyText,
      thread_id: anyText,
      status: 'failed',
      message_id: null,
      error: 'PROVIDER_ERROR',
      message: anyText,
      provider_code: 131026,
      provider_response: expect.objectContaining({
        error: expect.objectContaining({ code: 131026 }) as object,
      }) as object,
    });
    expect(body.data.results[2]).toMatchObject({ index: 2, ok: true, status: 'sent', message_id: anyText });
  });

  it('of one recipient is still a list', async () => {
    const { body } = await send([{ phone: newPhone() }]);
    expect(body.data).toMatchObject({ total: 1, sent: 1 });
  });

  it('of two hundred arrives once at each, at most eighty in flight', async () => {
    scene.provider.inFlightMax = 0;
    // So slow that the limit is reached, also where each claim takes its time.
    scene.provider.latencyMs = 800;
    const phones = newPhones(200);
    const { body } = await send(phones.map((phone) => ({ phone })));
    scene.provider.latencyMs = 0;
    expect(body.data).toMatchObject({ total: 200, sent: 200 });
    const counts = scene.provider.counts();
    expect(phones.filter((phone) => counts.get(phone) !== 1)).toEqual([]);
    expect(scene.provider.inFlightMax).toBe(80);
  });

  it('is sent as asked, the same recipient twice too, unless duplicates are to be skipped', async () => {
    const [phone, other] = newPhones(2) as [string, string];
    const to = [
      { phone, params: ['a'] },
      { phone, params: ['a'] },
      { phone, params: ['b'] },
      { phone: other },
    ];
    expect((await send(to)).body.data).toMatchObject({ sent: 4 });
    expect(scene.provider.sendsTo(phone)).toHaveLength(3);
    const { body } = await send(to, { skip_duplicates: true });
    expect(body.data).toMatchObject({ sent: 3, failed: 1 });
    expect(body.data.results[1]).toMatchObject({
      ok: false,
      status: 'failed',
      error: 'DUPLICATE',
      thread_id: anyText,
    });
    expect(scene.provider.sendsTo(phone)).toHaveLength(5);
  });

  it('stops where the account cannot pay: the untried fail without a request', async () => {
    const phones = newPhones(300);
    scene.provider.latencyMs = 20;
    scene.provider.on(phones[0] as string, refuse(400, 131042));
    const answered = await send(phones.map((phone) => ({ phone })));
    scene.provider.latencyMs = 0;
    const untried = resultsOf(answered).filter(
      (result) => result.error === 'BILLING_ERROR' && result.provider_response === null,
    );
    expect(untried.length).toBeGreaterThan(100);
    const counts = scene.provider.counts();
    expect(untried.filter((result) => counts.has(result.phone ?? ''))).toEqual([]);
    expect(answered.body.data.queued).toBe(0);
  });

  it('stops where the provider says by webhook that the account cannot pay', async () => {
    const phones = newPhones(600);
    const number = new CloudNumber(scene.sender);
    const before = scene.provider.ledger.length;
    const usedBefore = await scene.account.quotaUsed();
    scene.provider.latencyMs = 300;
    scene.provider.on(phones[0] as string, async (response, received, n) => {
      await accept(response, received, n);
      const { reference } = received;
      const failed = number.status(`wamid.${reference}`, 'failed', {
        biz_opaque_callback_data: reference,
        errors: [{ code: 131042, title: 'Business eligibility payment issue' }],
      });
      await postCloud(scene.server, cloudBody([failed]));
    });
    const answered = await send(phones.map((phone) => ({ phone })));
    scene.provider.latencyMs = 0;
    const [first, ...rest] = resultsOf(answered);
    expect(first).toMatchObject({ status: 'failed', error: 'BILLING_ERROR' });
    const untried = rest.filter(({ error }) => error === 'BILLING_ERROR');
    expect(untried.length).toBeGreaterThan(100);
    expect(untried.filter(({ provider_response }) => provider_response !== null)).toEqual([]);
    expect(answered.body.data.queued).toBe(0);
    const tried = scene.provider.ledger.length - before;
    expect(tried + untried.length).toBe(phones.length);
    // The one that was taken and failed afterwards counts.
    expect((await scene.account.quotaUsed()) - usedBefore).toBe(tried);
  });

  it('waits where the provider throttles its number, and then goes on', async () => {
    const phones = newPhones(20);
    for (const phone of phones.slice(0, 3)) {
      scene.provider.on(phone, (response, received, n) =>
        n === 1
          ? refuse(429, 130429, { 'Retry-After': '1' })(response, received, n)
          : accept(response, received, n),
      );
    }
    const { body } = await send(phones.map((phone) => ({ phone })));
    expect(body.data).toMatchObject({ sent: 20 });
  });

  it('is found again by get-batch, and each of its messages by get-message', async () => {
    const { body } = await send(newPhones(3).map((phone) => ({ phone })));
    const again = await scene.api.getBatch(body.data.batch_id);
    expect(again.body.data).toEqual(body.data);
    const { id, thread_id, message_id } = body.data.results[0];
    const message = await scene.api.getMessage(id);
    expect(message.body.data).toEqual({
      id,
      message_id,
      thread_id,
      role: 'SYSTEM',
      type: 'template',
      text: 'order_ready',
      ...{ media: null, content: null, quoted: null, referral: null },
      ...{ pricing: null, author: null, edited_at: null, deleted_at: null },
      status: 'sent',
      error: null,
      created_at: anyText,
      sent_at: anyText,
    });
  });

  it('is listed by get-batches, with all of get-batch but its recipients, before those of earlier', async () => {
    const sent = [await send([{ phone: newPhone() }]), await send(newPhones(2).map((phone) => ({ phone })))];
    const [earlier, later] = sent.map(({ body }) => {
      const { results: _, ...counts } = body.data as Record<string, unknown>;
      const template = { template_id: null, name: 'order_ready', language: 'ru' };
      const from = { bot_id: scene.account.botId, channel: 'waba_coexistence' };
      return { ...counts, ...from, template, author: null, created_at: anyText };
    });
    const asked = { bot_id: scene.account.botId, limit: 1 };
    const first = await scene.api.call('messages/get-batches', asked);
    expect(first.body.data).toEqual({ batches: [later], next_cursor: anyText });
    const cursor: unknown = first.body.data.next_cursor;
    const second = await scene.api.call('messages/get-batches', { ...asked, cursor });
    expect(second.body.data.batches).toEqual([earlier]);
  });

  it.each([{ limit: 0 }, { limit: 201 }, { limit: '5' }, { cursor: 'x' }, { bot_id: 'x' }])(
    'is not listed for %j',
    async (asked) => {
      const answer = await scene.api.call('messages/get-batches', asked);
      expect([answer.status, answer.body.error.details]).toMatchObject([
        422,
        [{ path: Object.keys(asked)[0] }],
      ]);
    },
  );
});

describe('nothing is sent', () => {
  type Refusal = [string, () => Promise<[object, object?]>, number, string, string[]];
  const refusals: Refusal[] = [
    [
      'with one bad recipient of many',
      async () => [[{ phone: newPhone() }, { phone: 'x' }, { phone: newPhone(), params: ['a', ''] }]],
      422,
      'VALIDATION_ERROR',
      ['to[1].phone', 'to[2].params[1]'],
    ],
    [
      'to a phone without its plus',
      async () => [{ phone: '77010000001' }],
      422,
      'VALIDATION_ERROR',
      ['to.phone'],
    ],
    [
      'with params that are null',
      async () => [{ phone: newPhone(), params: null }],
      422,
      'VALIDATION_ERROR',
      ['to.params'],
    ],
    [
      'with an empty value',
      async () => [{ phone: newPhone(), params: [''] }],
      422,
      'VALIDATION_ERROR',
      ['to.params[0]'],
    ],
    [
      'with a value that is no string',
      async () => [{ phone: newPhone(), params: [1] }],
      422,
      'VALIDATION_ERROR',
      ['to.params[0]'],
    ],
    ['to an empty list', async () => [[]], 422, 'VALIDATION_ERROR', ['to']],
    [
      'to more than a thousand',
      async () => [newPhones(1001).map((phone) => ({ phone }))],
      422,
      'VALIDATION_ERROR',
      ['to'],
    ],
    [
      'by a channel that does not exist',
      async () => [{ phone: newPhone() }, { channel: 'WABA' }],
      422,
      'VALIDATION_ERROR',
      ['channel'],
    ],
    [
      'by a channel that the bot has not connected',
      async () => [{ phone: newPhone() }, { channel: 'waba' }],
      422,
      'VALIDATION_ERROR',
      ['channel'],
    ],
    [
      'by a bot_id that is no UUID',
      async () => [{ phone: newPhone() }, { bot_id: 'bot' }],
      422,
      'VALIDATION_ERROR',
      ['bot_id'],
    ],
    ...['bot_id', 'channel', 'template_id'].map((field): Refusal => [
      `without ${field}`,
      async () => [{ phone: newPhone() }, { [field]: undefined }],
      422,
      'VALIDATION_ERROR',
      [field],
    ]),
    ['to nobody', async () => [{}, { to: undefined }], 422, 'VALIDATION_ERROR', ['to']],
    [
      'to a recipient without a phone',
      async () => [{ params: ['a'] }],
      422,
      'VALIDATION_ERROR',
      ['to.phone'],
    ],
    ...Object.entries({
      'named values that are a list': [{ named_params: ['a'] }, 'to.named_params'],
      'a header that is a text': [{ header: 'Запись' }, 'to.header'],
      'a header of no type': [{ header: {} }, 'to.header.type'],
      'a picture that is nowhere': [{ header: { type: 'image' } }, 'to.header'],
      'buttons that are no list': [{ buttons: {} }, 'to.buttons'],
      'a button without its place': [{ buttons: [{ type: 'url', text: 'm' }] }, 'to.buttons[0].index'],
    } as const).map(([what, [more, path]]): Refusal => [
      `with ${what}`,
      async () => [{ phone: newPhone(), ...more }],
      422,
      'VALIDATION_ERROR',
      [path],
    ]),
    [
      'by an unknown bot',
      async () => [{ phone: newPhone() }, { bot_id: '01930000-0000-7000-8000-0000000000ff' }],
      404,
      'BOT_NOT_FOUND',
      [],
    ],
  ];

  it.each(refusals)('%s', async (_, order, status, code, paths) => {
    const before = scene.provider.ledger.length;
    const [to, more] = await order();
    const { status: got, body } = await send(to, more);
    expect([got, body.error.code]).toEqual([status, code]);
    expect((body.error.details ?? []).map(({ path }) => path)).toEqual(paths);
    expect(scene.provider.ledger).toHaveLength(before);
  });

  it('by a bot of somebody else', async () => {
    const stranger = await AccountFixture.create(scene.database.pool);
    await stranger.connect();
    const { status, body } = await send({ phone: newPhone() }, { bot_id: stranger.botId });
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

it('a template of the registry is sent by the name that the provider knows, with its text in the dialog', async () => {
  await scene.database.pool.query(
    `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, body, params_count)
     VALUES ($1, gen_random_uuid(), $2, 'waba_coexistence', 'visit', 'visit_reminder_v3', 'en', 'utility', 'approved', 'Hello {{1}}, see you at {{2}}.', 2)`,
    [scene.account.id, scene.account.botId],
  );
  const phone = newPhone();
  const { body } = await send(
    { phone, params: ['Aida', '15:30'] },
    { template_id: 'visit', template_language: 'en' },
  );
  expect(scene.provider.sendsTo(phone)[0]?.body.template).toMatchObject({
    name: 'visit_reminder_v3',
    language: { code: 'en' },
  });
  expect((await scene.api.getMessage(body.data.id)).body.data.text).toBe('Hello Aida, see you at 15:30.');
});

it('a template of the registry is sent by its name in a language that is not registered, its own the newest', async () => {
  // Ids of the same millisecond are in random order.
  const [older, newer] = [randomUUIDv7(), randomUUIDv7()].sort();
  for (const [id, name, language, body] of [
    [older, 'welcome_v1', 'en', 'Hello {{1}}.'],
    [newer, 'welcome_v2', 'kk', 'Сәлем {{1}}.'],
  ]) {
    await scene.database.pool.query(
      `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, body, params_count)
       VALUES ($1, $2, $3, 'waba_coexistence', 'welcome', $4, $5, 'utility', 'approved', $6, 1)`,
      [scene.account.id, id, scene.account.botId, name, language, body],
    );
  }
  const phone = newPhone();
  const to = { phone, params: ['Aida'] };
  const { body } = await send(to, { template_id: 'welcome', template_language: 'ru' });
  expect(scene.provider.sendsTo(phone)[0]?.body.template).toMatchObject({
    name: 'welcome_v2',
    language: { code: 'ru' },
  });
  // Its text in that language is not known here.
  expect((await scene.api.getMessage(body.data.id)).body.data.text).toBe('welcome: Aida');
});

it('a key without the bot and without its agent sees neither message nor batch', async () => {
  const { body } = await send([{ phone: newPhone() }]);
  const key = await scene.account.addKey({ botIds: [], assistantIds: [] });
  const stranger = scene.apiAt(0, key);
  expect((await stranger.getBatch(body.data.batch_id)).body.error.code).toBe('BATCH_NOT_FOUND');
  expect((await stranger.getMessage(body.data.results[0].id)).body.error.code).toBe('MESSAGE_NOT_FOUND');
  const byBot = scene.apiAt(0, await scene.account.addKey({ assistantIds: [] }));
  expect((await byBot.getBatch(body.data.batch_id)).status).toBe(200);
  expect((await byBot.getMessage(body.data.results[0].id)).status).toBe(200);
});
