import { type ChatRequest, answerOfError, ModelError } from './chat.request';
import type { ModelExchange, ModelRequestEntry } from './model-exchange';
import type { ModelAct, WrittenCall, ModelReply } from './reply-script';

type Saying = Extract<ModelAct, { kind: 'say' }>;

const FRAGMENTS_MAX = 50;
const FRAGMENT_MIN = 8;
const CHARACTERS_PER_TOKEN = 4;

/** The forms of a completion at OpenAI: one object, or a stream of pieces. */
class CompletionForm {
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

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };
const JSON_BODY = { 'content-type': 'application/json; charset=utf-8' };
const DRIP_MS = 2_000;
/** Between two pieces of an endless reply, so that the machine keeps some capacity. */
const ENDLESS_MS = 1;

/** Writes a reply in the requested form, streamed or whole. */
export class ReplyWriter {
  private readonly form: CompletionForm;

  constructor(
    private readonly request: ChatRequest,
    private readonly exchange: ModelExchange,
    private readonly wordDelayMs: number,
    bodyBytes: number,
  ) {
    this.form = new CompletionForm(request, exchange.entry, bodyBytes);
  }

  /** Ends when the reply is written. @throws AbortError once the client is gone */
  async write({ act, delayMs = 0, wordDelayMs = this.wordDelayMs, hold, cut }: ModelReply): Promise<void> {
    const { exchange } = this;
    await exchange.pause(delayMs);
    if (hold === 'start') await exchange.hold();
    switch (act.kind) {
      case 'say':
        return this.request.stream
          ? this.stream(act, wordDelayMs, { hold, cut })
          : this.whole(act, wordDelayMs, { hold, cut });
      case 'hang':
        return;
      case 'drip':
        return this.goOn([...act.text], DRIP_MS, false);
      case 'endless':
        return this.goOn([act.text], Math.max(wordDelayMs, ENDLESS_MS), true);
      case 'garbage':
        exchange.begin(200, this.request.stream ? STREAM : JSON_BODY);
        return exchange.end(
          this.request.stream ? 'data: <html>no chunk</html>\n\n' : '<html>no completion</html>',
        );
      case 'refuse':
        return this.refuse(act);
    }
  }

  private async stream(
    saying: Saying,
    wordDelayMs: number,
    { hold, cut }: Partial<ModelReply>,
  ): Promise<void> {
    const { exchange, form } = this;
    const { text, calls = [] } = saying;
    const words = text.match(/\s*\S+\s*/g) ?? [];
    const middle = Math.ceil(words.length / 2);
    exchange.begin(200, STREAM);
    await exchange.write(form.first(text !== '' || calls.length === 0));
    for (const [index, word] of words.entries()) {
      if (index === middle && cut) break;
      if (index === middle && hold === 'middle') await exchange.hold();
      await exchange.pause(wordDelayMs);
      await exchange.write(form.words(word));
    }
    if (cut) return exchange.cut();
    for (const piece of form.calls(calls)) await exchange.write(piece);
    if (hold === 'end' || (hold === 'middle' && middle >= words.length)) await exchange.hold();
    exchange.end(form.last(saying));
  }

  private async whole(
    saying: Saying,
    wordDelayMs: number,
    { hold, cut }: Partial<ModelReply>,
  ): Promise<void> {
    const { exchange } = this;
    await exchange.pause(wordDelayMs * (saying.text.match(/\S+/g)?.length ?? 0));
    if (hold === 'middle' || hold === 'end') await exchange.hold();
    exchange.begin(200, JSON_BODY);
    const body = JSON.stringify(this.form.whole(saying));
    if (!cut) return exchange.end(body);
    await exchange.write(body.slice(0, body.length / 2));
    await exchange.cut();
  }

  /** Slow or endless replies. When the answer is not streamed, its text is begun and never finished. */
  private async goOn(pieces: readonly string[], pauseMs: number, endless: boolean): Promise<void> {
    const { exchange, form } = this;
    const { stream } = this.request;
    exchange.begin(200, stream ? STREAM : JSON_BODY);
    await exchange.write(stream ? form.first(true) : '{"choices":[{"message":{"content":"');
    do
      for (const piece of pieces) {
        await exchange.pause(pauseMs);
        await exchange.write(stream ? form.words(piece) : JSON.stringify(piece).slice(1, -1));
      }
    while (endless);
    const saying: Saying = { kind: 'say', text: pieces.join('') };
    exchange.end(stream ? form.last(saying) : '"},"finish_reason":"stop","index":0}]}');
  }

  private refuse({ httpStatus, retryAfterSeconds }: Extract<ModelAct, { kind: 'refuse' }>): void {
    const busy = httpStatus === 429;
    const message = busy
      ? 'Rate limit reached for requests.'
      : httpStatus >= 500
        ? 'The server had an error while processing your request. Sorry about that!'
        : 'The request was refused.';
    const type = busy ? 'requests' : httpStatus >= 500 ? 'server_error' : 'invalid_request_error';
    const code = busy ? 'rate_limit_exceeded' : undefined;
    const { body, headers } = answerOfError(
      new ModelError(httpStatus, message, { type, code, retryAfterSeconds }),
    );
    this.exchange.begin(httpStatus, { ...JSON_BODY, ...headers });
    this.exchange.end(JSON.stringify(body));
  }
}
