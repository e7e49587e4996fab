import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { randomUUIDv7 } from 'node:crypto';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { dumpOf } from '../../support/database/database.dump';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { moveTo } from '../../support/scenes/agent.talks';
import { setReplyScene } from '../../support/scenes/reply.scene';

const scene = setReplyScene({ stages: [{}, { kind: 'qualified' }, { kind: 'failure' }] });

interface Said {
  role: string;
  text: string;
}

let admin: ApiClient;
/** A tool's address, which must not be called. */
let shop: Server;
let shopCalls = 0;
let asked = 0;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  shop = createServer((_, response) => {
    shopCalls += 1;
    response.end('{}');
  });
  await once(shop.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => void shop?.close());

const tryOut = (messages: unknown, id = scene.account.assistantId): Promise<Answer> =>
  admin.admin('POST', `assistants/${id}/try`, { messages });

/** A question that no other test asks. */
const question = (): string => `Сколько стоит доставка? ${(asked += 1)}.`;

/** The model's requests for a question. */
const requestsFor = (text: string) => scene.model.requests(text);

it('answers as the agent would, message by message, from the dialog, the instructions, the stages and the tools of the agent', async () => {
  const { assistantId: id } = scene.account;
  await admin.admin('PATCH', `assistants/${id}`, {
    instructions: 'Продавай кофемашины.',
    barred_kinds: ['failure'],
  });
  const text = question();
  const messages: Said[] = [
    { role: 'user', text: 'Здравствуйте!' },
    { role: 'AI', text: 'Добрый день!' },
    { role: 'OPERATOR', text: 'Скидок нет.' },
    { role: 'USER', text },
  ];
  await scene.model.reply({
    text: '**Доставка** стоит две тысячи тенге, мы привезём сегодня же вечером.\n\nКуда везти?',
    when: text,
  });
  const { status, body: answered } = await tryOut(messages);
  expect([status, answered.data]).toEqual([
    200,
    {
      reply: '*Доставка* стоит две тысячи тенге, мы привезём сегодня же вечером.\n\nКуда везти?',
      parts: ['*Доставка* стоит две тысячи тенге, мы привезём сегодня же вечером.', 'Куда везти?'],
      tool_calls: [],
    },
  ]);
  const [{ body } = { body: {} }] = await requestsFor(text);
  const [system, ...said] = body.messages as { role: string; content: string }[];
  expect(system?.content).toContain('Продавай кофемашины.');
  expect(system?.content).toContain(scene.stage(1));
  expect(said.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Здравствуйте!'],
    ['assistant', expect.stringMatching(/^Добрый день!\n\n\[operator [0-9a-f]{8}\] Скидок нет\.$/)],
    ['user', text],
  ]);
  const tools = body.tools as { function: { name: string; parameters: any } }[];
  expect(tools.map(({ function: { name } }) => name)).toEqual(['move_lead', 'hand_over']);
  expect(tools[0]?.function.parameters.properties.status_id.enum).toEqual([scene.stage(0), scene.stage(1)]);
});

it('shows the tools that the model calls, executes none, writes nothing and sends nothing', async () => {
  const { id, assistantId } = scene.account;
  const tool = randomUUIDv7();
  await scene.database.pool.query(
    `INSERT INTO assistant_tools (account_id, id, assistant_id, name, description, method, url, parameters, auto_fill,
       header_names, timeout_ms, enabled)
     VALUES ($1, $2, $3, 'find_stock', 'Stock', 'POST', $4, $5, '{"phone": "phone"}', '{}', 1000, true)`,
    [
      id,
      tool,
      assistantId,
      `http://127.0.0.1:${(shop.address() as AddressInfo).port}/stock`,
      JSON.stringify({
        type: 'object',
        required: ['what', 'phone'],
        properties: { what: { type: 'string' }, phone: { type: 'string' } },
      }),
    ],
  );
  const text = question();
  const when = text;
  const call = (name: string, given: unknown) => ({ tool_calls: [{ name, arguments: given }], when });
  await scene.model.reply(
    call('find_stock', { what: 'чай' }),
    call('find_stock', { what: 5 }),
    { ...moveTo(scene.stage(1)), when },
    { ...moveTo(scene.stage(0)), when },
    { text: 'Чай есть.', when },
  );
  const before = await dumpOf(scene.database.pool);
  const sent = scene.provider.ledger.length;
  const { status, body } = await tryOut([{ role: 'USER', text }]);
  expect(await dumpOf(scene.database.pool)).toEqual(before);
  expect(scene.provider.ledger.length).toBe(sent);
  await scene.database.pool.query('DELETE FROM assistant_tools WHERE id = $1', [tool]);
  expect([status, body.data]).toEqual([
    200,
    {
      reply: 'Чай есть.',
      parts: ['Чай есть.'],
      tool_calls: [
        { name: 'find_stock', arguments: { what: 'чай' }, result: expect.stringContaining('was not called') },
        { name: 'find_stock', arguments: { what: 5 }, result: expect.stringContaining('do not fit') },
        { name: 'move_lead', arguments: { status_id: scene.stage(1) }, result: 'The lead was moved.' },
        {
          name: 'move_lead',
          arguments: { status_id: scene.stage(0) },
          result: expect.stringMatching(/^Refused/),
        },
      ],
    },
  ]);
  expect(shopCalls).toBe(0);
});

it('announces a hand-over in the words of the agent', async () => {
  const { assistantId: id } = scene.account;
  await admin.admin('PATCH', `assistants/${id}`, { handover_text: 'Сейчас позову коллегу.' });
  const text = question();
  await scene.model.reply(
    { tool_calls: [{ name: 'hand_over', arguments: { reason: 'A discount' } }], when: text },
    { text: 'Позову.', when: text },
  );
  const { body } = await tryOut([{ role: 'USER', text }]);
  await admin.admin('PATCH', `assistants/${id}`, { handover_text: null });
  expect(body.data).toMatchObject({
    parts: ['Сейчас позову коллегу.'],
    tool_calls: [{ name: 'hand_over', arguments: { reason: 'A discount' } }],
  });
});

it.each([
  ['refuses', { status: 500 }],
  ['writes nothing', { text: ' ' }],
])('says that the model failed when it %s', async (_, reply) => {
  const text = question();
  await scene.model.reply({ ...reply, when: text, times: null });
  const { status, body, headers } = await tryOut([{ role: 'USER', text }]);
  expect([status, body.error.code]).toEqual([502, 'MODEL_ERROR']);
  const logged = `"request_id":"${headers.get('x-request-id')}"`;
  const line = await eventually(
    async () =>
      scene.server
        .output()
        .split('\n')
        .find((text) => text.includes(logged) && text.includes('"status":502')),
    5_000,
    'no log line of the call',
  );
  expect(JSON.parse(line)).toMatchObject({ code: 'MODEL_ERROR', msg: 'the model gave no answer' });
  expect(body.error.message).not.toMatch(/127\.0\.0\.1|доставка/);
});

describe('is refused', () => {
  const OK = { role: 'USER', text: 'Hi' };
  it('where the customer does not write last', async () => {
    const messages = [OK, { role: 'AI', text: 'Hi' }];
    await expectRefused(
      scene.database.pool,
      () => tryOut(messages),
      [422, 'VALIDATION_ERROR'],
      ['messages[1].role'],
    );
  });

  it('for an agent that does not exist, and alike for one of another account by a session', async () => {
    const stranger = await AccountFixture.create(scene.database.pool);
    const { status, body } = await tryOut([OK], randomUUIDv7());
    expect([status, body.error.code]).toEqual([404, 'ASSISTANT_NOT_FOUND']);
    // By a key that governs all accounts it is there.
    expect((await tryOut([OK], stranger.assistantId)).status).toBe(200);
  });
});
