import type { ModelOutcome, ModelRequest, ModelTool } from '@app/domain/agent/language-model.port';
import { MODEL_LIMITS, type ModelLimits } from '@app/integrations/model/model-limits';
import { OpenAiLanguageModel } from '@app/integrations/model/openai-language-model';
import { StandInProvider } from './provider.stand-in';

export const MODEL_KEY = 'sk-very-secret-0123456789';

export const MODEL_REQUEST: ModelRequest = {
  model: null,
  options: null,
  instructions: 'You sell teeth.',
  messages: [
    { role: 'user', text: 'Hi' },
    { role: 'assistant', text: 'Hello!' },
    { role: 'user', text: 'How much is one?' },
  ],
  tools: [],
  toolCallsMax: 5,
  charactersMax: 1000,
};

/** A tool that keeps what it was given and answers each call with its number. */
export function recordingTool(name = 'note') {
  const given: unknown[] = [];
  const tool: ModelTool = {
    name,
    description: `It ${name}s.`,
    parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    call: async (input) => `answer ${given.push(input)}`,
  };
  return { given, tool };
}

/** The outcome of a request to which the model wrote this. */
export const replied = (text: string): ModelOutcome => ({ kind: 'replied', text });

/** The adapter before an endpoint on the loopback. What it writes to the console is kept: it must write nothing. */
export class StandInModel {
  endpoint: StandInProvider;
  model: OpenAiLanguageModel;
  readonly written: unknown[][] = [];
  private spies: jest.SpyInstance[] = [];

  constructor(private readonly limits: Partial<ModelLimits> = {}) {}

  async start(): Promise<void> {
    this.spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation((...line: unknown[]) => void this.written.push(line)),
    );
    this.endpoint = await StandInProvider.open();
    this.model = this.newModel();
  }

  private newModel(limits: Partial<ModelLimits> = {}): OpenAiLanguageModel {
    const settings = { baseUrl: `${this.endpoint.url}/v1`, apiKey: MODEL_KEY, name: 'house-model' };
    return new OpenAiLanguageModel(settings, { ...MODEL_LIMITS, ...this.limits, ...limits });
  }

  /** An adapter that knows nothing of its server. */
  async fresh(limits?: Partial<ModelLimits>): Promise<void> {
    await this.model.onApplicationShutdown();
    this.model = this.newModel(limits);
  }

  ask(request: Partial<ModelRequest> = {}, signal = new AbortController().signal): Promise<ModelOutcome> {
    return this.model.reply({ ...MODEL_REQUEST, ...request }, signal);
  }

  async close(): Promise<void> {
    await this.model.onApplicationShutdown();
    await this.endpoint.close();
    for (const spy of this.spies) spy.mockRestore();
  }
}

/** Sets up the stand-in for a test file. Each test gets a new endpoint, and must leave the console empty. */
export function setStandInModel(limits?: Partial<ModelLimits>): StandInModel {
  const standIn = new StandInModel(limits);
  beforeAll(() => standIn.start());
  beforeEach(() => standIn.endpoint.reset());
  afterEach(() => expect(standIn.written).toEqual([]));
  afterAll(() => standIn.close());
  return standIn;
}
