import type * as Sandbox from '../../../apps/sandbox/src/sandbox-server';
import type { ModelRequestEntry } from '../../../apps/sandbox/src/model/model-exchange';
import { eventually } from '../eventually';

/** What the model shall do with a request; `text` and `tool_calls` unless another act is named. */
export interface GivenReply {
  text?: string;
  /** Arguments that are a string are sent as they are, however malformed. */
  tool_calls?: readonly { name: string; arguments?: unknown }[];
  act?: 'hang' | 'drip' | 'endless' | 'garbage';
  /** Refuses with this. */
  status?: number;
  /** Seconds, of a refusal. */
  retry_after?: number;
  /** Only for requests whose last customer's message contains this text. */
  when?: string;
  /** How many requests it answers; default 1, null for all. */
  times?: number | null;
  /** Before the first byte. */
  delay_ms?: number;
  word_delay_ms?: number;
  /** Pauses there until it is released. */
  hold?: 'start' | 'middle' | 'end';
  /** Resets the connection after half of the words. */
  cut?: boolean;
}

/** What the model shall hear in a file. */
export interface GivenTranscript {
  text?: string;
  /** As a server calls it: `english`, `en`. */
  language?: string;
  segments?: readonly object[];
  /** Refuses with this. */
  status?: number;
  /** Refuses `verbose_json`. */
  plain?: boolean;
  delay_ms?: number;
  act?: 'hang';
  /** Only for files whose bytes have this text. */
  when?: string;
  /** How many requests it answers; default 1, null for all. */
  times?: number | null;
}

/** A request for a transcript, as it came. */
export interface HeardRequest {
  model: string;
  response_format: string | null;
  file_name: string;
  type: string;
  bytes: number;
  sha256: string;
  in_order: boolean;
}

/** A request as its sender wrote it. */
export interface AskedModel extends ModelRequestEntry {
  body: any;
}

const DEADLINE_MS = 10_000;

/** Scripts a sandbox's model and reads its requests, in the demo's sandbox or a separate one. */
export class ModelScript {
  private own: Sandbox.RunningSandbox | null = null;

  /** @param sandboxUrl without a path */
  constructor(readonly sandboxUrl: string) {}

  /** A model in this process, with nothing else in its sandbox. */
  static async start(): Promise<ModelScript> {
    // Half a second of loading, which most files are spared: they ask the worker's, which unit tests do not have.
    const { startSandbox } = jest.requireActual<typeof Sandbox>('../../../apps/sandbox/src/sandbox-server');
    const sandbox = await startSandbox({ numbers: [] });
    const model = new ModelScript(sandbox.url);
    model.own = sandbox;
    return model;
  }

  /** The model of a sandbox that is there, which forgets what it was told. */
  static async at(sandboxUrl: string): Promise<ModelScript> {
    const model = new ModelScript(sandboxUrl);
    await model.clear();
    return model;
  }

  get url(): string {
    return `${this.sandboxUrl}/v1`;
  }

  /** The settings of a server that shall ask here, without quiet time. */
  get environment(): Record<string, string> {
    return {
      ...{ AI_BASE_URL: this.url, AI_MODEL: 'scripted', AI_REPLY_DELAY_MS: '0' },
      AI_TRANSCRIPTION_MODEL: 'hearing',
    };
  }

  /** What it answers next, in this order, before its own replies. */
  async reply(...replies: GivenReply[]): Promise<void> {
    await this.ask('POST', 'replies', replies);
  }

  /** What it hears next, in this order. */
  async hear(...transcripts: GivenTranscript[]): Promise<void> {
    await this.ask('POST', 'transcripts', transcripts);
  }

  /** What it was asked to transcribe, oldest first. */
  async heard(): Promise<HeardRequest[]> {
    return (await this.ask('GET', 'transcriptions')) as HeardRequest[];
  }

  /** Requests whose body has a text, or all; oldest first. */
  async requests(contains?: string, since = 0): Promise<AskedModel[]> {
    const query = new URLSearchParams({
      since: String(since),
      ...(contains === undefined ? {} : { contains }),
    });
    return (await this.ask('GET', `requests?${query.toString()}`)) as AskedModel[];
  }

  /** Waits until it was asked so often, and gives the latest of those requests. */
  async asked(contains?: string, times = 1): Promise<AskedModel> {
    return this.until(
      async () => (await this.requests(contains))[times - 1],
      `the model was not asked ${times} times`,
    );
  }

  /** Waits until a reply pauses as scripted. */
  async held(contains?: string): Promise<AskedModel> {
    return this.until(
      async () => (await this.requests(contains)).find(({ held }) => held),
      'the model held no reply',
    );
  }

  /** Waits for the end of a request: when it came, and whether the client closed it before. */
  async ended(n: number): Promise<AskedModel> {
    return this.until(
      async () => (await this.requests(undefined, n - 1)).find((one) => one.n === n && one.end !== null),
      `request ${n} to the model did not end`,
    );
  }

  /** Lets one request's reply go on, or all that are under way. */
  async release(n?: number): Promise<void> {
    await this.ask('POST', 'release', n === undefined ? {} : { n });
  }

  /** Forgets all requests, and replies that were not used. */
  async clear(): Promise<void> {
    await this.ask('DELETE', '');
  }

  /** Of a model in this process only. */
  async stop(): Promise<void> {
    await this.own?.stop();
  }

  private until<T>(look: () => Promise<T | undefined>, failure: string): Promise<T> {
    return eventually<T>(look, DEADLINE_MS, failure);
  }

  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.sandboxUrl}/sandbox/model${path && `/${path}`}`, {
      method,
      body: body && JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`the sandbox refused: ${JSON.stringify(answer)}`);
    return answer;
  }
}
