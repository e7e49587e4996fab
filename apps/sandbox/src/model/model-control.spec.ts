import { chat, ChatClient } from '../../../../test/support/clients/chat.client';
import { ModelScript } from '../../../../test/support/stand-ins/model.script';

let model: ModelScript;
let client: ChatClient;

beforeAll(async () => {
  model = await ModelScript.start();
  client = new ChatClient(model.url);
});

beforeEach(() => model.clear());

afterAll(() => model?.stop());

const textOf = async (words: string): Promise<string> => (await client.stream(chat(words))).text;

it('gives the replies in the order in which they were given, then its own', async () => {
  await model.reply({ text: 'first' }, { text: 'second' });
  expect([await textOf('Hi'), await textOf('Hi')]).toEqual(['first', 'second']);
  expect(await textOf('Thank you')).toMatch(/welcome/);
});

it('keeps a reply for the customers whose words it is for, as often as it is to be given', async () => {
  await model.reply({ when: 'Alice', text: 'to Alice' }, { text: 'to all', times: null });
  expect(await textOf('I am Bob')).toBe('to all');
  expect(await textOf('I am Alice')).toBe('to Alice');
  expect(await textOf('I am Alice')).toBe('to all');
});

it('writes calls of tools as given, malformed ones too', async () => {
  await model.reply({
    text: 'One moment.',
    tool_calls: [
      { name: 'look_up', arguments: { sku: 1 } },
      { name: 'look_up', arguments: '{"sku":' },
    ],
  });
  const { text, calls, finish } = await client.stream(chat('Hi'));
  expect(text).toBe('One moment.');
  expect(calls.map((call) => call.arguments)).toEqual(['{"sku":1}', '{"sku":']);
  expect(finish).toBe('tool_calls');
});

it('notes each request: its body, its key, and when it came, was answered and ended', async () => {
  const before = Date.now();
  await client.json(chat('What about shoes?'));
  const request = await model.asked('What about shoes?');
  expect(request).toMatchObject({
    with_key: true,
    act: 'say',
    end: 'complete',
    body: chat('What about shoes?'),
  });
  const { at, first_byte_at: first, ended_at: ended } = request;
  expect([before <= at, at <= (first ?? 0), (first ?? 0) <= (ended ?? 0)]).toEqual([true, true, true]);
  expect(await model.requests('no such words')).toEqual([]);
  expect(await model.requests(undefined, request.n)).toEqual([]);
});

it.each(['start', 'middle', 'end'] as const)('holds a reply at its %s until it is released', async (hold) => {
  await model.reply({ text: 'one two three four', hold });
  const answer = client.stream(chat('Hi'));
  const { n, end, first_byte_at: first } = await model.held();
  expect([end, first === null]).toEqual([null, hold === 'start']);
  await model.release(n);
  expect((await answer).text).toBe('one two three four');
  expect(await model.ended(n)).toMatchObject({ held: false, end: 'complete' });
});

it.each([
  ['hangs', { act: 'hang' }],
  ['is held', { text: 'one two', hold: 'middle' }],
  ['drips', { act: 'drip' }],
  ['never ends', { act: 'endless' }],
  ['waits', { text: 'one', delay_ms: 60_000 }],
] as const)('sees at once that the client left a reply that %s', async (_how, reply) => {
  await model.reply(reply);
  const leaving = new AbortController();
  const asking = client
    .post(chat('Hi', { stream: true }), { signal: leaving.signal })
    .then((response) => response.text());
  asking.catch(() => undefined);
  const { n } = await model.asked();
  const left = Date.now();
  leaving.abort();
  await expect(asking).rejects.toThrow();
  const { end, ended_at: ended } = await model.ended(n);
  expect(end).toBe('client closed');
  // The longest of these replies goes on for a minute.
  expect((ended ?? 0) - left).toBeLessThan(5_000);
});

it('breaks a connection off in the middle of a reply', async () => {
  await model.reply({ text: 'one two three four', cut: true });
  const response = await client.post(chat('Hi', { stream: true }));
  await expect(response.text()).rejects.toThrow();
  expect(await model.asked()).toMatchObject({ end: 'cut' });
});

it('refuses as it is scripted to', async () => {
  await model.reply({ status: 503, retry_after: 7 });
  const response = await client.post(chat('Hi'));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
});

it.each([
  ['no object', ['text']],
  ['an unknown act', [{ act: 'sing' }]],
  ['an unknown place to hold', [{ hold: 'never' }]],
  ['no times at all', [{ times: 0 }]],
  ['a call without a name', [{ tool_calls: [{}] }]],
  ['a status of success', [{ status: 200 }]],
])('%s is no reply', async (_what, replies) => {
  const body = JSON.stringify([{ text: 'fine' }, ...replies]);
  const response = await fetch(`${model.sandboxUrl}/sandbox/model/replies`, { method: 'POST', body });
  expect(response.status).toBe(400);
  expect(await textOf('Thank you')).toMatch(/welcome/);
});

it('a page of another origin may not script it', async () => {
  const init = { method: 'POST', body: '[]', headers: { origin: 'http://evil.example' } };
  expect((await fetch(`${model.sandboxUrl}/sandbox/model/replies`, init)).status).toBe(403);
});
