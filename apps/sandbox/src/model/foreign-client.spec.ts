import type { ModelOutcome, ModelTool } from '@app/domain/agent/language-model.port';
import { OpenAiLanguageModel } from '@app/integrations/model/openai-language-model';
import { OWN_TOOLS, SECOND_STAGE } from '../../../../test/support/clients/chat.client';
import { ModelScript } from '../../../../test/support/stand-ins/model.script';

// The service's adapter uses a library by other authors for its protocol, so it is independent evidence of OpenAI's.

let script: ModelScript;
let adapter: OpenAiLanguageModel;
let calls: { name: string; given: unknown }[];

beforeAll(async () => {
  script = await ModelScript.start();
  adapter = new OpenAiLanguageModel({ baseUrl: script.url, apiKey: null, name: 'scripted' });
});

beforeEach(async () => {
  calls = [];
  await script.clear();
});

afterAll(async () => {
  await adapter?.onApplicationShutdown();
  await script?.stop();
});

const TOOLS = OWN_TOOLS.tools.map(({ function: { name, description, parameters } }): ModelTool => ({
  name,
  description,
  parameters,
  call: async (given) => {
    calls.push({ name, given });
    return '{"ok":true}';
  },
}));

function ask(text: string, signal = new AbortController().signal): Promise<ModelOutcome> {
  const request = {
    model: null,
    options: null,
    instructions: 'You sell shoes.',
    messages: [{ role: 'user', text }] as const,
  };
  return adapter.reply({ ...request, tools: TOOLS, toolCallsMax: 5, charactersMax: 6_000 }, signal);
}

it('reads its words', async () => {
  expect(await ask('Спасибо!')).toEqual({
    kind: 'replied',
    text: 'Пожалуйста! Если появятся вопросы, пишите.',
  });
});

it('makes its calls of tools, and reads how it goes on', async () => {
  expect(await ask('Хочу купить кеды')).toMatchObject({
    kind: 'replied',
    text: expect.stringMatching(/^Отлично, оформляем заказ!/),
  });
  expect(calls).toEqual([{ name: 'move_lead', given: { status_id: SECOND_STAGE } }]);
});

it.each(['#badtool', '#unknowntool', '#tool nothing {}'])('gets an answer after %s', async (words) => {
  expect(await ask(words)).toMatchObject({ kind: 'replied' });
  expect((await script.requests()).map(({ act }) => act)).toEqual(['call', 'say']);
});

it('comes to an end with #loop', async () => {
  await ask('#loop');
  expect(calls.length).toBeLessThanOrEqual(5);
  expect((await script.requests()).every(({ act }) => act === 'call')).toBe(true);
});

it.each([
  ['#error', true],
  ['#busy', true],
  ['#garbage', true],
])('takes %s for a failure', async (words, mayRetry) => {
  expect(await ask(words)).toMatchObject({ kind: 'failed', mayRetry });
});

it('is seen to leave', async () => {
  const leaving = new AbortController();
  const outcome = ask('#hang', leaving.signal);
  const { n } = await script.asked('#hang');
  const left = Date.now();
  leaving.abort();
  expect(await outcome).toEqual({ kind: 'aborted' });
  const { end, ended_at: ended } = await script.ended(n);
  expect(end).toBe('client closed');
  expect((ended ?? 0) - left).toBeLessThan(200);
});
