import { activeSpan } from '@app/contracts/trace-recorder';
import { Pool, type Dispatcher } from 'undici';
import { ProviderSlots } from '../http/provider-slots';
import { retryAfterMs } from '../http/retry-after-header';
import { ModelFailure, refusalWords, refusedWith, unreachable } from './model-failure';
import { regularStream } from './regular-stream';
import type { ReplyBounds } from './model-limits';
import { RequestQuirks } from './request-quirks';

/** Longest wait for a connection. The request's limits bound the wait for the first byte. */
const CONNECT_MS = 10_000;

/** Of the words of a refusal. */
const WORDS_BYTES = 16 * 1024;
/** What one request may be refused, one after the other. */
const REFUSALS_MAX = 5;

type Answer = Dispatcher.ResponseData;

/** The answer's body as a web stream. Each piece counts against the bounds. */
function streamOf(body: Answer['body'], bounds: ReplyBounds): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done) {
            bounds.expectNothing();
            controller.close();
            return;
          }
          bounds.receive(value.byteLength);
          controller.enqueue(value);
        } catch (error) {
          controller.error(unreachable(error));
        }
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}

/** A request without the fields that options name. */
const without = (body: Record<string, unknown>, options: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !(name in options)));

/** The beginning of an answer's body, as much of it as comes. */
async function wordsOf(body: Answer['body'], bounds: ReplyBounds): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      bounds.receive(piece.byteLength);
      pieces.push(piece);
      bytes += piece.byteLength;
      if (bytes > WORDS_BYTES) break;
    }
  } catch {
    // Of a refusal whose words break off, the status tells enough.
  }
  return Buffer.concat(pieces).subarray(0, WORDS_BYTES).toString();
}

/**
 * The connections to the model's endpoint, kept alive. A connection carries one request at a time. No redirect is
 * followed, nothing is sent twice but what was refused, and every answer is counted.
 */
export class ModelConnection {
  private readonly pool: Pool;
  private readonly slots: ProviderSlots;
  private readonly quirks = new RequestQuirks();

  constructor(
    baseUrl: string,
    private readonly apiKey: string | null,
    connections: number,
  ) {
    this.slots = new ProviderSlots(connections);
    this.pool = new Pool(new URL(baseUrl).origin, {
      connections,
      pipelining: 1,
      // An abort must close the connection, because a generating server notices nothing else.
      allowH2: false,
      connect: { timeout: CONNECT_MS },
      // The request has the time limits.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * A fetch for one request within its bounds. It throws ModelFailure for every answer that has no text of a model.
   * @param options see {@link ModelRequest}
   * @param model models share the connections: one that hangs leaves slots to the others
   */
  fetchWithin(bounds: ReplyBounds, model: string, options: object): typeof fetch {
    return async (input, init) => {
      if (!this.slots.has(model))
        throw new ModelFailure('Too many requests to the model are under way.', true);
      this.slots.take(model);
      const url = input instanceof Request ? input.url : input;
      const answer = await this.ask(url, init ?? {}, bounds, options).catch((error: unknown) => {
        this.slots.giveBack(model);
        throw unreachable(error);
      });
      const { body } = answer;
      body.once('close', () => this.slots.giveBack(model));
      // A body that is destroyed emits an error; its readers learn of it in other ways.
      body.on('error', () => undefined);
      return new Response(regularStream(streamOf(body, bounds)), { status: 200 });
    };
  }

  /**
   * Sends the request, and again without what the server refuses in it. What the agent sets stays as it is.
   * @returns an answer that is no refusal
   * @throws ModelFailure
   */
  private async ask(
    url: string | URL,
    init: RequestInit,
    bounds: ReplyBounds,
    options: object,
  ): Promise<Answer> {
    const given = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Record<string, unknown>;
    const leftOut = this.quirks.begin(given);
    const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
    for (let refusals = 0; ; refusals += 1) {
      const ours = without(this.quirks.fit(given, leftOut), options);
      const body = JSON.stringify({ ...ours, ...set });
      const answer = await this.post(url, { ...init, body }, bounds);
      const { statusCode, headers } = answer;
      if (statusCode >= 200 && statusCode <= 299) {
        this.quirks.remember(leftOut, given);
        return answer;
      }
      const words = await wordsOf(answer.body, bounds);
      const refused =
        refusals < REFUSALS_MAX ? this.quirks.find(ours, { status: statusCode, words }, leftOut) : null;
      answer.body.on('error', () => undefined).destroy();
      if (refused === null)
        throw refusedWith(statusCode, retryAfterMs(headers), refusalWords(words, this.apiKey));
      leftOut.add(refused);
    }
  }

  /** Ends all requests at once. An unfinished reply is not sent. */
  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async post(
    url: string | URL,
    { headers, body }: RequestInit,
    bounds: ReplyBounds,
  ): Promise<Answer> {
    const { pathname, search } = new URL(url);
    bounds.expectAnswer();
    const { signal } = bounds;
    const names = Object.fromEntries(new Headers(headers));
    // The model is ours, or behind a gateway of ours, which may go on with the trace. Nobody else is told of it.
    const trace = activeSpan()?.trace;
    if (trace !== undefined) names.traceparent = trace;
    return this.pool.request({
      method: 'POST',
      path: pathname + search,
      headers: names,
      body: typeof body === 'string' ? body : null,
      signal,
    });
  }
}
