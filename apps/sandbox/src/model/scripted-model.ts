import type { Call, CallRouter } from '../http/call-router';
import { answer, answerJson, objectOf } from '../http/json.answer';
import { lastWords, readChatRequest, type ChatRequest, answerOfError, ModelError } from './chat.request';
import { ModelExchange, RequestBuffer, type ModelRequestEntry } from './model-exchange';
import { type ModelReply, ReplyScript } from './reply-script';
import { ReplyWriter } from './reply-writer';
import { ScriptedHearing } from './scripted-hearing';
import { replyTo } from './word-acts';

const MODEL = { id: 'scripted', object: 'model', created: 1_767_225_600, owned_by: 'sandbox' };

/** A model that speaks OpenAI's protocol at `/v1`: with any key or none, under any name. */
export class ScriptedModel {
  readonly requests = new RequestBuffer();
  readonly script = new ReplyScript();
  readonly hearing = new ScriptedHearing();
  private readonly open = new Map<number, ModelExchange>();

  /** @param wordDelayMs the pause before each word */
  constructor(private readonly wordDelayMs: number) {}

  addTo(router: CallRouter): void {
    this.hearing.addTo(router);
    router
      .on('POST', /^\/v1\/chat\/completions$/, (call) => this.complete(call))
      .on('GET', /^\/v1\/models$/, ({ response }) =>
        answerJson(response, 200, { object: 'list', data: [MODEL] }),
      )
      .on('GET', /^\/v1\/models\/([^/]+)$/, ({ response, params: [id] }) => {
        if (id === MODEL.id) return answerJson(response, 200, MODEL);
        const missing = new ModelError(404, `The model '${id}' does not exist`, { code: 'model_not_found' });
        answer(response, answerOfError(missing));
      });
    for (const method of ['GET', 'POST'])
      router.on(method, /^\/v1(?:\/.*)?$/, ({ response, path }) =>
        answer(response, answerOfError(new ModelError(404, `Invalid URL (${method} ${path})`))),
      );
  }

  /** Releases a held reply, or all that are under way. A reply that is not held yet will not be held. */
  release(n?: number): void {
    const exchanges = n === undefined ? [...this.open.values()] : [this.open.get(n)];
    for (const exchange of exchanges) exchange?.release();
  }

  private async complete({ request, response, body }: Call): Promise<void> {
    const withKey = /^Bearer \S/.test(request.headers.authorization ?? '');
    const entry = this.requests.note(objectOf(body), body.length, withKey);
    const exchange = new ModelExchange(entry, response);
    this.open.set(entry.n, exchange);
    response.on('close', () => this.open.delete(entry.n));
    try {
      const given = readChatRequest(body);
      const reply = this.script.take(lastWords(given)) ?? replyTo(given);
      await this.answer(given, reply, exchange, entry, body.length);
    } catch (error) {
      if (!exchange.isOpen) return;
      if (!(error instanceof ModelError)) throw error;
      entry.act = `refuse ${error.httpStatus}`;
      entry.first_byte_at = Date.now();
      answer(response, answerOfError(error));
    }
  }

  private async answer(
    given: ChatRequest,
    reply: ModelReply,
    exchange: ModelExchange,
    entry: ModelRequestEntry,
    bytes: number,
  ): Promise<void> {
    const { act } = reply;
    if (act.kind === 'refuse') entry.act = `refuse ${act.httpStatus}`;
    else if (act.kind === 'say' && act.calls && act.calls.length > 0) entry.act = 'call';
    else entry.act = act.kind;
    await new ReplyWriter(given, exchange, this.wordDelayMs, bytes).write(reply);
  }
}
