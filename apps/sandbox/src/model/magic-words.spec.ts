import { MAGIC_WORDS } from '@app/contracts/magic-numbers';
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

/** Reads that many events of a streamed reply, and closes the connection. */
async function readEvents(words: string, count: number): Promise<{ events: string[]; tookMs: number }> {
  const leaving = new AbortController();
  const response = await client.post(chat(words, { stream: true }), { signal: leaving.signal });
  const began = performance.now();
  let read = '';
  for await (const part of response.body ?? []) {
    read += Buffer.from(part as Uint8Array).toString('utf8');
    if (read.split('\n\n').length > count) break;
  }
  leaving.abort();
  return { events: read.split('\n\n').slice(0, count), tookMs: performance.now() - began };
}

it('#hang is never answered', async () => {
  const leaving = new AbortController();
  const asking = client.post(chat('#hang'), { signal: leaving.signal });
  asking.catch(() => undefined);
  const { n } = await model.asked('#hang');
  leaving.abort();
  await expect(asking).rejects.toThrow();
  expect(await model.ended(n)).toMatchObject({ act: 'hang', first_byte_at: null, end: 'client closed' });
});

it('#slow is answered after its time, whatever else is wanted', async () => {
  const began = performance.now();
  const { text } = await client.stream(chat('#slow 300 #parts 2'));
  expect(performance.now() - began).toBeGreaterThanOrEqual(300);
  expect(text.split('\n\n')).toHaveLength(2);
});

it('#drip is answered with a character each two seconds', async () => {
  const { events, tookMs } = await readEvents('#drip', 3);
  expect(tookMs).toBeGreaterThanOrEqual(3_900);
  expect(tookMs).toBeLessThan(6_000);
  for (const event of events.slice(1)) expect(event).toMatch(/"content":"."/);
});

it.each([true, false])('#endless goes on for as long as it is read (streamed: %s)', async (stream) => {
  const response = await client.post(chat('#endless', { stream }));
  let length = 0;
  for await (const part of response.body ?? []) {
    length += (part as Uint8Array).length;
    if (length > 20_000) break;
  }
  expect(length).toBeGreaterThan(20_000);
  const { n } = await model.asked('#endless', stream ? 1 : 2);
  expect(await model.ended(n)).toMatchObject({ end: 'client closed' });
});

it('#long is 5,000 characters without a paragraph', async () => {
  for (const words of ['#long', '#long пожалуйста']) {
    const { text } = await client.stream(chat(words));
    expect([text.length, text.includes('\n')]).toEqual([5_000, false]);
  }
});

it.each([
  ['#parts 3', 3],
  ['Пожалуйста, #PARTS 5', 5],
  ['#parts', 3],
  ['#parts 0', 1],
  ['#parts 900', 20],
])('%s is %i paragraphs', async (words, count) => {
  const { text } = await client.stream(chat(words));
  expect(new Set(text.split('\n\n')).size).toBe(count);
});

it.each([
  ['#error', 500, 'server_error', null],
  ['#busy', 429, 'requests', '1'],
])('%s is refused with %i', async (words, status, type, retryAfter) => {
  const response = await client.post(chat(words, { stream: true }));
  expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
  expect(await response.json()).toMatchObject({ error: { type } });
});

it.each([true, false])('#garbage is 200 and no JSON (streamed: %s)', async (stream) => {
  const response = await client.post(chat('#garbage', { stream }));
  const body = (await response.text()).replace('data: ', '');
  expect(response.status).toBe(200);
  expect(() => JSON.parse(body) as unknown).toThrow();
});

it('#badtool calls with what is no JSON, and answers once it has the result', async () => {
  const { calls } = await client.stream(chat('#badtool'));
  expect(calls).toMatchObject([{ name: 'move_lead' }]);
  expect(() => JSON.parse(calls[0]?.arguments ?? '') as unknown).toThrow(SyntaxError);
  const after = await client.stream(told('#badtool', 'The arguments are no JSON.'));
  expect([after.calls, after.finish]).toEqual([[], 'stop']);
});

it('#unknowntool calls a tool that was not offered, and answers once it has the result', async () => {
  const { calls } = await client.stream(chat('#unknowntool', OWN_TOOLS));
  expect(calls).toMatchObject([{ name: 'launch_rocket' }]);
  expect((await client.stream(told('#unknowntool', 'There is no such tool.'))).finish).toBe('stop');
});

it('#tool calls the tool that it names, and answers with the result', async () => {
  const words = '#tool order_status {"order": {"number": 5}}';
  const { calls } = await client.stream(chat(words));
  expect(calls).toMatchObject([{ name: 'order_status', arguments: '{"order": {"number": 5}}' }]);
  const { text } = await client.stream(told(words, 'On its way'));
  expect(text).toBe('Here is what I found: On its way');
});

it.each(['There is no tool "nosuch".', '{"ok": false, "error": {"code": "NOT_FOUND"}}'])(
  '#tool answers with the result, a refusal too: %s',
  async (refusal) => {
    const { text } = await client.stream(told('#tool nosuch {}', refusal));
    expect(text).toBe(`Here is what I found: ${refusal}`);
  },
);

it('#loop calls and calls, whatever the result', async () => {
  const calls = [
    await client.stream(chat('#loop', OWN_TOOLS)),
    await client.stream(told('#loop', 'Done.')),
    await client.stream(told('#loop', 'Done.', 'Refused: that was enough.')),
  ].map((reply) => reply.calls[0]);
  expect(calls).toMatchObject([{ name: 'move_lead' }, { name: 'move_lead' }, { name: 'move_lead' }]);
  expect(calls[0]?.arguments).not.toContain(SECOND_STAGE);
  expect(calls[1]?.arguments).toContain(SECOND_STAGE);
});

it.each(['#hangar', 'hang', 'C#error'])('%s is no magic word', async (words) => {
  expect((await client.stream(chat(words))).text).toContain(words);
});

it('only the last message of the customer counts', async () => {
  const messages = [...chat('#error').messages, ...chat('Thanks').messages];
  expect((await client.stream({ model: 'm', messages })).text).toMatch(/^You are welcome/);
});

it('the magic words are listed', async () => {
  const response = await fetch(`${model.sandboxUrl}/sandbox/magic-words`);
  expect(await response.json()).toEqual(MAGIC_WORDS);
});
