import type { ChatRequest } from './chat.request';
import { CompletionForm, type Saying } from './completion-chunks';
import type { ModelExchange } from './model-exchange';
import { answerOfError, ModelError } from './model.errors';
import type { ModelAct, ModelReply } from './model-reply';

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
