import { randomUUIDv7 } from 'node:crypto';
import type { Answer } from '../../support/clients/api.client';
import type { BatchResult } from '@app/domain/messages/batches/batch-answer.presenter';
import { CloudNumber, cloudBody, postCloud } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { accept, refuse } from '../../support/stand-ins/scripted.provider';
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

  it('opens one dialog when many are sent at once, into which the next one comes', async () => {
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send({ phone })));
    answers.push(await send({ phone }));
    expect(new Set(answers.map(({ body }) => body.data.thread_id as string)).size).toBe(1);
  });

  it('is 502 with the answer of the provider where it refuses, and BILLING_ERROR where the account cannot pay', async () => {
    for (const [number, code] of [
      [132000, 'PROVIDER_ERROR'],
      [131042, 'BILLING_ERROR'],
    ] as const) {
      const phone = newPhone();
      scene.provider.on(phone, refuse(400, number));
      const { status, body } = await send({ phone });
      expect([status, body.error]).toMatchObject([502, { code, status: 502 }]);
      expect(body.provider_response).toMatchObject({ error: { code: number } });
    }
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

  it('of more than may be in flight arrives once at each, at most eighty in flight', async () => {
    scene.provider.inFlightMax = 0;
    // So slow that the limit is reached, also where each claim takes its time.
    scene.provider.latencyMs = 800;
    const phones = newPhones(120);
    const { body } = await send(phones.map((phone) => ({ phone })));
    scene.provider.latencyMs = 0;
    expect(body.data).toMatchObject({ total: 120, sent: 120 });
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

  it('stops where the account cannot pay: the untried fail without a request, and are given back', async () => {
    const phones = newPhones(200);
    const usedBefore = await scene.account.quotaUsed();
    scene.provider.latencyMs = 20;
    scene.provider.on(phones[0] as string, refuse(400, 131042));
    const answered = await send(phones.map((phone) => ({ phone })));
    scene.provider.latencyMs = 0;
    const failed = resultsOf(answered).filter(({ error }) => error === 'BILLING_ERROR');
    const untried = failed.filter(({ provider_response }) => provider_response === null);
    expect([untried.length > 50, failed.length - untried.length]).toEqual([true, 1]);
    const counts = scene.provider.counts();
    expect(untried.filter((result) => counts.has(result.phone ?? ''))).toEqual([]);
    expect(answered.body.data.queued).toBe(0);
    expect((await scene.account.quotaUsed()) - usedBefore).toBe(phones.length - failed.length);
  });

  it('stops where the provider says by webhook that the account cannot pay', async () => {
    const phones = newPhones(400);
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
    expect(untried.length).toBeGreaterThan(50);
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

  it('is not listed from a cursor that is none', async () => {
    const answer = await scene.api.call('messages/get-batches', { cursor: 'x' });
    expect([answer.status, answer.body.error.details]).toMatchObject([422, [{ path: 'cursor' }]]);
  });
});

describe('nothing is sent', () => {
  const UNKNOWN = '01930000-0000-7000-8000-0000000000ff';

  it('with one bad recipient of many, by a channel that is not connected, or by an unknown bot', async () => {
    const before = scene.provider.ledger.length;
    const many = [{ phone: newPhone() }, { phone: 'x' }, { phone: newPhone(), params: ['a', ''] }];
    for (const [answer, status, code, paths] of [
      [await send(many), 422, 'VALIDATION_ERROR', ['to[1].phone', 'to[2].params[1]']],
      [await send({ phone: newPhone() }, { channel: 'waba' }), 422, 'VALIDATION_ERROR', ['channel']],
      [await send({ phone: newPhone() }, { bot_id: UNKNOWN }), 404, 'BOT_NOT_FOUND', []],
    ] as const) {
      const { error } = answer.body;
      expect([answer.status, error.code, (error.details ?? []).map(({ path }) => path)]).toEqual([
        status,
        code,
        paths,
      ]);
    }
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

it('named variables of header and body are sent under their names, the longest too, and shown in the text', async () => {
  const name = 'n'.repeat(100);
  const id = randomUUIDv7();
  await scene.database.pool.query(
    `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status,
       parameter_format, header, body, params_count, param_names)
     VALUES ($1, $2::uuid, $3, 'waba_coexistence', $2::text, 'named_v1', 'ru', 'utility', 'approved', 'named', $4, $5, 1, $6)`,
    [
      ...[
        scene.account.id,
        id,
        scene.account.botId,
        JSON.stringify({ format: 'text', text: 'For {{ who }}' }),
      ],
      ...[`Until {{${name}}}.`, [name]],
    ],
  );
  const phone = newPhone();
  const to = { phone, header: { type: 'text', text: 'Aida' }, named_params: { [name]: 'Monday' } };
  const { status, body } = await send(to, { template_id: id });
  expect(status).toBe(200);
  const template = scene.provider.sendsTo(phone)[0]?.body.template as { components: unknown };
  expect(template.components).toEqual([
    { type: 'header', parameters: [{ type: 'text', parameter_name: 'who', text: 'Aida' }] },
    { type: 'body', parameters: [{ type: 'text', parameter_name: name, text: 'Monday' }] },
  ]);
  expect((await scene.api.getMessage(body.data.id)).body.data.text).toBe('Until Monday.');
});

it('how many values there are, and how long they are, is left to the provider', async () => {
  const phone = newPhone();
  const params = Array.from({ length: 150 }, (_, n) => `${n}`);
  expect((await send({ phone, params: [...params, 'я'.repeat(40_000)] })).status).toBe(200);
  expect(scene.provider.sendsTo(phone)).toHaveLength(1);
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
