import {
  chat,
  ChatClient,
  OWN_TOOLS,
  SECOND_STAGE,
  told,
} from '../../../../test/support/clients/chat.client';
import { ModelScript } from '../../../../test/support/stand-ins/model.script';

let model: ModelScript;
let client: ChatClient;

beforeAll(async () => {
  model = await ModelScript.start();
  client = new ChatClient(model.url);
});

afterAll(() => model?.stop());

const paragraphs = (text: string): string[] => text.split('\n\n');
const lengthOf = (text: string): number => text.length;

describe('the protocol', () => {
  it('a completion is an object with one message, its reason to end and a count of tokens', async () => {
    const answer = await client.json(chat('Сколько стоит доставка?'));
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'scripted',
      choices: [
        { index: 0, message: { role: 'assistant', content: expect.any(String) }, finish_reason: 'stop' },
      ],
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
      },
    });
  });

  it('a stream says the same word by word, begins with the role and ends with [DONE]', async () => {
    const whole = await client.json(chat('How much is it?'));
    const { chunks, text, finish, isDone } = await client.stream(chat('How much is it?'));
    expect(text).toBe(whole.choices[0].message.content);
    expect(chunks.length).toBeGreaterThan(text.split(' ').length);
    expect(chunks[0]).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }],
    });
    expect([finish, isDone]).toEqual(['stop', true]);
    expect(chunks.some(({ usage }) => usage)).toBe(false);
  });

  it('tokens are counted in the last chunk of a stream when the client asks for it', async () => {
    const { chunks } = await client.stream(chat('Hi', { stream_options: { include_usage: true } }));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('a call of a tool is streamed in pieces: its name first, then its arguments', async () => {
    const { chunks, calls, finish } = await client.stream(chat('Хочу купить платье', OWN_TOOLS));
    expect(calls).toEqual([
      { id: expect.stringMatching(/^call_/), name: 'move_lead', arguments: expect.any(String) },
    ]);
    expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual({ status_id: SECOND_STAGE });
    expect(finish).toBe('tool_calls');
    const pieces: Record<string, any>[] = chunks.flatMap(
      ({ choices }) => (choices[0]?.delta.tool_calls ?? []) as Record<string, any>[],
    );
    expect(pieces[0]).toMatchObject({ type: 'function', function: { name: 'move_lead', arguments: '' } });
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.slice(1).every(({ id }) => id === undefined)).toBe(true);
  });

  it('a call of a tool is whole in a completion that is not streamed', async () => {
    const { choices } = await client.json(chat('I want to buy a dress', OWN_TOOLS));
    expect(choices[0]).toMatchObject({
      message: { content: null, tool_calls: [{ type: 'function', function: { name: 'move_lead' } }] },
      finish_reason: 'tool_calls',
    });
  });

  it('models are listed, with any key or none', async () => {
    const list = await fetch(`${model.url}/models`);
    expect(await list.json()).toMatchObject({ object: 'list', data: [{ id: 'scripted', object: 'model' }] });
    expect((await fetch(`${model.url}/models/scripted`)).status).toBe(200);
    expect((await client.post(chat('Hi'), { headers: {} })).status).toBe(200);
  });

  it.each([
    ['no JSON', '{', null],
    ['no model', { messages: chat('Hi').messages }, null],
    ['no messages', { model: 'm' }, 'messages'],
    ['an empty conversation', { model: 'm', messages: [] }, 'messages'],
    [
      'a role that is none',
      { model: 'm', messages: [{ role: 'operator', content: 'x' }] },
      'messages[0].role',
    ],
    [
      'a message without content',
      { model: 'm', messages: [{ role: 'user', content: null }] },
      'messages[0].content',
    ],
    [
      'a result that nobody asked for',
      { model: 'm', messages: [{ role: 'tool', tool_call_id: 'a', content: 'x' }] },
      'messages[0].role',
    ],
    [
      'a call without its result',
      { ...told('Hi', 'done'), messages: told('Hi', 'done').messages.slice(0, -1) },
      'messages[3].role',
    ],
    ['usage without a stream', chat('Hi', { stream_options: { include_usage: true } }), 'stream_options'],
    ['no tools, but an array of them', chat('Hi', { tools: [] }), 'tools'],
    ['a choice of tools without tools', chat('Hi', { tool_choice: 'none' }), 'tool_choice'],
    [
      'a tool whose name has a space',
      chat('Hi', { tools: [{ type: 'function', function: { name: 'a b' } }] }),
      'tools[0].function.name',
    ],
  ])('%s is refused with 400, as OpenAI does', async (_what, body, param) => {
    const response = await client.post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param, code: null },
    });
  });

  it.each([
    ['/embeddings', null],
    ['/models/other', 'model_not_found'],
  ])('GET /v1%s is 404 in the same form', async (path, code) => {
    const response = await fetch(`${model.url}${path}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code } });
  });
});

describe("the shop's replies", () => {
  it.each(['Бағасы қанша?', 'Шымкентке жеткізесіздер ме?', 'Бүгін ашықсыздар ма?', 'Көк түсі бар ма?'])(
    '%s is answered in Kazakh',
    async (words) => {
      const { text } = await client.stream(chat(words));
      expect(text).toContain(words);
      for (const paragraph of paragraphs(text.replace(words, ''))) expect(paragraph).toMatch(/[әғқңөұүһі]/);
    },
  );

  it('a funnel without the stage that the words mean is left as it is', async () => {
    const { calls, text } = await client.stream(chat('Send me the invoice', OWN_TOOLS));
    expect(calls).toEqual([]);
    expect(text).toContain('I am sending the invoice');
  });

  it.each([
    ['Какая цена у куртки?', 'ru'],
    ['How much is the jacket?', 'en'],
    ['Привезёте в Астану?', 'ru'],
    ['Do you deliver?', 'en'],
    ['Вы сегодня открыты?', 'ru'],
    ['Are you open today?', 'en'],
    ['Есть синие кеды?', 'ru'],
    ['Blue sneakers?', 'en'],
  ])(
    '%s is answered in its language, in several messages, naming what was asked',
    async (words, language) => {
      const [first, second] = [await client.stream(chat(words)), await client.stream(chat(words))];
      expect(first.text).toBe(second.text);
      expect(first.text).toContain(words);
      expect(/[а-яё]/i.test(first.text.replace(words, ''))).toBe(language === 'ru');
      expect(paragraphs(first.text).length).toBeGreaterThanOrEqual(2);
      expect(paragraphs(first.text).length).toBeLessThanOrEqual(3);
      expect(
        Math.min(...paragraphs(first.text.replace(words, '')).slice(0, -1).map(lengthOf)),
      ).toBeGreaterThanOrEqual(60);
    },
  );

  it('answers the last of several messages, whatever lines it has', async () => {
    const messages = [
      { role: 'user', content: 'Какая цена?' },
      { role: 'assistant', content: '9 900 ₸' },
      { role: 'user', content: [{ type: 'text', text: 'Thanks!\n\nBye' }] },
    ];
    const { text } = await client.stream({ model: 'm', messages });
    expect(text).toBe('You are welcome! Write whenever you have a question.');
  });

  it("go on from the tool's result", async () => {
    const moved = await client.stream(told('Хочу купить платье', '{"ok":true}'));
    expect(moved.calls).toEqual([]);
    expect(moved.text).toMatch(/^Отлично, оформляем заказ!/);
    const refused = await client.stream(told('Хочу купить платье', 'Refused: the stage is locked.'));
    expect(refused.text).toMatch(/^Спасибо, записал!/);
  });

  it('call a person when the customer asks for one', async () => {
    const { calls } = await client.stream(chat('Позовите оператора', OWN_TOOLS));
    expect(calls).toMatchObject([{ name: 'hand_over' }]);
    expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual({
      reason: expect.stringContaining('Позовите оператора'),
    });
  });

  it.each(['Хочу купить платье', 'I want a human'])('%s calls no tool that is not offered', async (words) => {
    const { calls, text } = await client.stream(chat(words));
    expect(calls).toEqual([]);
    expect(text).toContain(words);
  });
});
