import { activeSpan } from '@app/contracts/trace.recorder';
import { Pool, type Dispatcher } from 'undici';
import { ProviderSlots } from '../http/provider.slots';
import { retryAfterMs } from '../http/retry-after.header';
import { ModelFailure, refusedWith, unreachable } from './model.failure';
import type { ReplyBounds } from './reply.bounds';

/** Longest wait for a connection. The request's limits bound the wait for the first byte. */
const CONNECT_MS = 10_000;

/** Content types of web pages and whole answers. Other types may be streams: not every server names them. */
const NO_STREAM = /^(text\/html|application\/json)\b/i;

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

/**
 * The connections to the model's endpoint, kept alive. A connection carries one request at a time. No redirect is
 * followed, nothing is sent twice, and every answer is counted.
 */
export class ModelConnection {
  private readonly pool: Pool;
  private readonly slots: ProviderSlots;

  constructor(baseUrl: string, connections: number) {
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
   * A fetch for one request within its bounds. It throws ModelFailure for every answer that is not a stream.
   * @param model models share the connections: one that hangs leaves slots to the others
   */
  fetchWithin(bounds: ReplyBounds, model: string): typeof fetch {
    return async (input, init) => {
      if (!this.slots.has(model))
        throw new ModelFailure('Too many requests to the model are under way.', true);
      this.slots.take(model);
      const answer = await this.post(input instanceof Request ? input.url : input, init ?? {}, bounds).catch(
        (error: unknown) => {
          this.slots.giveBack(model);
          throw unreachable(error);
        },
      );
      const { statusCode, headers, body } = answer;
      body.once('close', () => this.slots.giveBack(model));
      // A body that is destroyed emits an error; its readers learn of it in other ways.
      body.on('error', () => undefined);
      const failure = this.failureOf(statusCode, headers);
      if (failure) {
        body.destroy();
        throw failure;
      }
      return new Response(streamOf(body, bounds), { status: 200 });
    };
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
    bounds.expectBytes();
    const { signal } = bounds;
    const names = Object.fromEntries(new Headers(headers));
    // The model is ours, or behind a gateway of ours, which may go on with the trace. Nobody else is told of it.
    const trace = activeSpan()?.trace;
    if (trace !== undefined) names.traceparent = trace;
    const answer = await this.pool.request({
      method: 'POST',
      path: pathname + search,
      headers: names,
      body: typeof body === 'string' ? body : null,
      signal,
    });
    bounds.expectBytes();
    return answer;
  }

  private failureOf(status: number, headers: Answer['headers']): ModelFailure | null {
    if (status < 200 || status > 299) return refusedWith(status, retryAfterMs(headers));
    if (!NO_STREAM.test(String(headers['content-type'] ?? ''))) return null;
    return new ModelFailure("The model's endpoint answered with no stream: check AI_BASE_URL.", true);
  }
}
