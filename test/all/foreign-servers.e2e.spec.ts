import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import mockOpenAi from 'mock-openai-api/dist/app';
import type { ModelRequest } from '@app/domain/agent/language-model.port';
import { MODEL_REQUEST, recordingTool, replied } from '../support/stand-ins/model.stand-in';
import { OpenAiLanguageModel } from '@app/integrations/model/openai-language-model';

// Both servers are by other authors, so they are independent evidence of how a server of OpenAI's protocol answers.

const models: OpenAiLanguageModel[] = [];

function modelAt(baseUrl: string): OpenAiLanguageModel {
  const model = new OpenAiLanguageModel({ baseUrl, apiKey: 'sk-1', name: 'mock-gpt-thinking' });
  models.push(model);
  return model;
}

const asking = (text: string, request: Partial<ModelRequest> = {}): ModelRequest => ({
  ...MODEL_REQUEST,
  messages: [{ role: 'user', text }],
  ...request,
});

const signal = (): AbortSignal => new AbortController().signal;

afterAll(() => Promise.all(models.map((model) => model.onApplicationShutdown())));

describe('aimock', () => {
  const server = new LLMock({ port: 0, latency: 0, chunkSize: 3 });
  let model: OpenAiLanguageModel;

  beforeAll(async () => {
    await server.start();
    model = modelAt(`${server.url}/v1`);
  });
  afterEach(() => server.clearFixtures());
  afterAll(() => server.stop());

  it('streams a text, a few characters at a time', async () => {
    server.onMessage('Сколько стоит?', { content: 'Один стоит 15 000 ₸. 😀' });
    expect(await model.reply(asking('Сколько стоит?'), signal())).toEqual(replied('Один стоит 15 000 ₸. 😀'));
    expect(server.getLastRequest()?.body).toMatchObject({ stream: true, model: 'mock-gpt-thinking' });
  });

  it('thinks, which nobody reads', async () => {
    server.onMessage('Hi', { content: 'Hello.', reasoning: 'They greet me.' });
    expect(await model.reply(asking('Hi'), signal())).toEqual(replied('Hello.'));
  });

  it('calls two tools at once beside its words, gets their answers, and goes on', async () => {
    const [note, look] = [recordingTool('note'), recordingTool('look')];
    server.on(
      { userMessage: 'Note it', hasToolResult: false },
      {
        content: 'One moment.',
        toolCalls: [
          { name: 'note', arguments: '{"n":7}' },
          { name: 'look', arguments: '{"n":8}' },
        ],
      },
    );
    server.on({ userMessage: 'Note it', toolResultContains: 'answer 1' }, { content: 'It is noted.' });
    const request = asking('Note it', { tools: [note.tool, look.tool] });
    expect(await model.reply(request, signal())).toEqual(replied('It is noted.'));
    expect([note.given, look.given]).toEqual([[{ n: 7 }], [{ n: 8 }]]);
  });

  it.each([
    [429, true],
    [503, true],
    [401, false],
  ])('refuses with %i', async (status, mayRetry) => {
    server.onMessage('Hi', { error: { message: 'Not now' }, status });
    expect(await model.reply(asking('Hi'), signal())).toMatchObject({ kind: 'failed', mayRetry });
  });

  it('breaks off in the middle of a text, of which nothing is said', async () => {
    server.onMessage('Hi', { content: 'Hello, how can I help you today?' }, { truncateAfterChunks: 3 });
    expect(await model.reply(asking('Hi'), signal())).toMatchObject({ kind: 'failed', mayRetry: true });
  });
});

describe('mock-openai-api', () => {
  let server: Server;
  let model: OpenAiLanguageModel;

  beforeAll(async () => {
    // It tells of each call.
    jest.spyOn(console, 'log').mockImplementation();
    server = mockOpenAi.listen(0, '127.0.0.1');
    await once(server, 'listening');
    model = modelAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  });
  afterAll(async () => {
    await new Promise((closed) => server.close(closed));
    jest.restoreAllMocks();
  });

  it.each(['mock-gpt-thinking', 'mock-gpt-thinking-tag'])(
    'as %s thinks aloud, which nobody reads',
    async (name) => {
      const outcome = await model.reply(asking('Hello', { model: name }), signal());
      expect(outcome).toEqual(replied('Hello! How can I help you today? 😊'));
    },
  );

  it('calls a tool', async () => {
    const { given, tool } = recordingTool('get_time');
    const request = asking('What time is it now', { model: 'gpt-4-mock', tools: [tool] });
    expect(await model.reply(request, signal())).toMatchObject({
      kind: 'replied',
      text: expect.stringMatching(/^Today is June 2, 2025/) as string,
    });
    expect(given).toEqual([{}]);
  });

  it('refuses a model that it does not have within a stream, of which nothing is said', async () => {
    expect(await model.reply(asking('Hello', { model: 'no-such-model' }), signal())).toMatchObject({
      kind: 'failed',
    });
  });
});
