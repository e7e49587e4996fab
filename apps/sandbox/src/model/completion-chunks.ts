import type { ChatRequest } from './chat.request';
import type { ModelAct, WrittenCall } from './model-reply';
import type { ModelRequestEntry } from './request-buffer';

export type Saying = Extract<ModelAct, { kind: 'say' }>;

const FRAGMENTS_MAX = 50;
const FRAGMENT_MIN = 8;
const CHARACTERS_PER_TOKEN = 4;

/** The forms of a completion at OpenAI: one object, or a stream of pieces. */
export class CompletionForm {
  private readonly id: string;
  private readonly created = Math.floor(Date.now() / 1000);

  constructor(
    private readonly request: ChatRequest,
    private readonly entry: ModelRequestEntry,
    private readonly bytes: number,
  ) {
    this.id = `chatcmpl-${String(entry.n).padStart(8, '0')}`;
  }

  /** The completion as a whole. */
  whole({ text, calls = [] }: Saying): object {
    const called = calls.map((call, index) => this.callOf(call, index));
    return {
      ...this.head('chat.completion'),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text || called.length === 0 ? text : null,
            refusal: null,
            ...(called.length > 0 ? { tool_calls: called } : {}),
          },
          logprobs: null,
          finish_reason: reasonOf(calls),
        },
      ],
      usage: this.usage(text, calls),
    };
  }

  first(isText: boolean): string {
    return this.piece({ role: 'assistant', content: isText ? '' : null });
  }

  words(text: string): string {
    return this.piece({ content: text });
  }

  /** A call's pieces: its name, then its arguments bit by bit. */
  *calls(calls: readonly WrittenCall[]): Generator<string> {
    for (const [index, call] of calls.entries()) {
      const { function: made, ...named } = this.callOf(call, index);
      yield this.piece({ tool_calls: [{ index, ...named, function: { ...made, arguments: '' } }] });
      const step = Math.max(FRAGMENT_MIN, Math.ceil(call.arguments.length / FRAGMENTS_MAX));
      for (let from = 0; from < call.arguments.length; from += step) {
        const fragment = call.arguments.slice(from, from + step);
        yield this.piece({ tool_calls: [{ index, function: { arguments: fragment } }] });
      }
    }
  }

  last({ text, calls = [] }: Saying): string {
    const end = this.piece({}, reasonOf(calls));
    const usage = this.event({
      ...this.head('chat.completion.chunk'),
      choices: [],
      usage: this.usage(text, calls),
    });
    return `${end}${this.request.withUsage ? usage : ''}data: [DONE]\n\n`;
  }

  private piece(delta: object, finish_reason: string | null = null): string {
    return this.event({
      ...this.head('chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(this.request.withUsage ? { usage: null } : {}),
    });
  }

  private event(data: object): string {
    return `data: ${JSON.stringify(data)}\n\n`;
  }

  private head(object: string): object {
    return {
      id: this.id,
      object,
      created: this.created,
      model: this.request.model,
      system_fingerprint: 'fp_scripted',
    };
  }

  private callOf({ name, arguments: written }: WrittenCall, index: number) {
    return {
      id: `call_${this.entry.n}_${index}`,
      type: 'function',
      function: { name, arguments: written },
    };
  }

  private usage(text: string, calls: readonly WrittenCall[]): object {
    const written = text.length + calls.reduce((sum, call) => sum + call.arguments.length, 0);
    const prompt_tokens = Math.ceil(this.bytes / CHARACTERS_PER_TOKEN);
    const completion_tokens = Math.ceil(written / CHARACTERS_PER_TOKEN);
    return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  }
}

const reasonOf = (calls: readonly WrittenCall[]): string => (calls.length > 0 ? 'tool_calls' : 'stop');
