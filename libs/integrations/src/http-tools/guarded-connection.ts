import type { LookupFunction, Socket } from 'node:net';
import { asSpan } from '@app/contracts/trace-recorder';
import {
  type HttpToolFailure,
  violationOfHeader,
  type HttpToolCall,
  type HttpToolConnection,
  type HttpToolStatus,
} from '@app/domain/assistants/http-tool.port';
import type { SendPermit } from '@app/domain/messages/dispatch/message-sender.port';
import { DecoratorHandler, type Dispatcher, buildConnector, Client } from 'undici';
import { retryAfterMs } from '../http/retry-after-header';
import { AddressRefusedError, NameUnknownError } from './guarded-addresses';

/** The answer is not used. The message is half a sentence for the model. */
export class UnusableAnswerError extends Error {}

export const failed = (reason: string): HttpToolFailure => ({ kind: 'failed', reason });

const refused = (reason: string): HttpToolFailure => ({ kind: 'failed', reason, refused: true });

export const REFUSED_ADDRESS = refused('its address is not one that is called');
export const REFUSED_HEADERS = refused('its headers are not ones that are sent');
const REFUSED_NAME = refused('its name leads to an address that is not called');

/** Messages of the network may name addresses, so only their codes are used. */
export function failureOf(error: unknown): HttpToolFailure {
  if (error instanceof UnusableAnswerError) return failed(error.message);
  if (error instanceof AddressRefusedError) return REFUSED_NAME;
  if (error instanceof NameUnknownError) return failed('its name is not known');
  const { code, name } = error as { code?: unknown; name?: string };
  return failed(`the connection broke: ${typeof code === 'string' ? code : (name ?? 'unknown')}`);
}

const USER_AGENT = 'Leadline-Tools/1';

type Headers = Readonly<Record<string, string>>;

/** Whether all of these may be sent. */
export const areSent = (headers: Headers): boolean =>
  Object.entries(headers).every(([name, value]) => violationOfHeader(name, value) === null);

/** These and our own, as undici takes them. */
export const sentHeaders = (headers: Headers, hasJson: boolean): string[] => [
  ...Object.entries(headers).flat(),
  ...['user-agent', USER_AGENT, 'accept-encoding', 'identity'],
  ...(hasJson ? ['content-type', 'application/json'] : []),
];

/** Nothing was sent, because the permit was void. */
class WithheldError extends Error {
  constructor() {
    super('a request was withheld');
  }
}

/**
 * Checks a permit in the tick in which undici writes the request, as {@link ProviderExchange} does for providers.
 */
class PermittedHandler extends DecoratorHandler {
  constructor(
    private readonly inner: Dispatcher.DispatchHandler,
    private readonly permit: SendPermit,
  ) {
    super(inner);
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.inner.onRequestStart?.(controller, context);
    if (!this.permit.isValid()) return controller.abort(new WithheldError());
    // Runs after the write, which undici does when this call returns.
    queueMicrotask(() => this.permit.used());
  }
}

/** Has a client's requests wait for no one, but be written only with the permit. */
const permittedBy =
  (permit: SendPermit): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, new PermittedHandler(handler, permit));

/** So much of an answer's body is taken, so that the other side can end what it writes. */
const BODY_BYTES_MAX = 4_096;
const BODY_MS_MAX = 1_000;

/** One open connection to a checked address, for one request. */
export class GuardedConnection implements HttpToolConnection {
  readonly kind = 'connected';

  private constructor(
    private readonly origin: string,
    private readonly socket: Socket,
    private readonly timeoutMs: number,
    private readonly connectedInMs: number,
  ) {}

  /**
   * @param lookup checks the addresses
   * @throws what went wrong
   */
  static open(url: URL, timeoutMs: number, lookup: LookupFunction): Promise<GuardedConnection> {
    const began = performance.now();
    const connect = buildConnector({ allowH2: false, maxCachedSessions: 0, lookup, timeout: timeoutMs });
    const { protocol, host, port } = url;
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    return new Promise((resolve, reject) => {
      connect({ protocol, host, hostname, port }, (error, socket) => {
        if (error) reject(error);
        else resolve(new GuardedConnection(url.origin, socket, timeoutMs, performance.now() - began));
      });
    });
  }

  send(call: HttpToolCall): Promise<HttpToolStatus> {
    const { method } = call;
    return asSpan(
      () => ({ name: `${method} call`, kind: 'client', facts: { 'http.request.method': method } }),
      async (span) => {
        const came = await this.sendWithin(call);
        const status = came.kind === 'status' ? came.status : undefined;
        span?.set({ 'leadline.outcome': came.kind, 'http.response.status_code': status });
        if (came.kind !== 'status') span?.fail({ code: came.kind });
        return came;
      },
    );
  }

  private async sendWithin({ method, url, headers, body, permit }: HttpToolCall): Promise<HttpToolStatus> {
    const { origin, pathname, search } = new URL(url);
    if (origin !== this.origin) throw new Error('a connection is used for another address');
    if (!areSent(headers)) return REFUSED_HEADERS;
    // undici would wait for a connection that closes no more.
    if (!this.socket.writable) return failed('the connection broke: closed');
    const timeIsUp = AbortSignal.timeout(Math.max(1, Math.ceil(this.timeoutMs - this.connectedInMs)));
    const client = new Client(origin, {
      pipelining: 1,
      allowH2: false,
      // The signal has the one time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      // undici misses a connection that it gets within its own call.
      connect: (_, connected) => queueMicrotask(() => connected(null, this.socket)),
    });
    try {
      const answer = await client.compose(permittedBy(permit)).request({
        method,
        path: pathname + search,
        headers: sentHeaders(headers, body !== null),
        body,
        signal: timeIsUp,
      });
      const signal = AbortSignal.any([timeIsUp, AbortSignal.timeout(BODY_MS_MAX)]);
      await answer.body.dump({ limit: BODY_BYTES_MAX, signal }).catch(() => undefined);
      return { kind: 'status', status: answer.statusCode, retryAfterMs: retryAfterMs(answer.headers) };
    } catch (error) {
      if (error instanceof WithheldError) return { kind: 'withheld' };
      if (timeIsUp.aborted) return failed(`no answer came within ${this.timeoutMs} ms`);
      return failureOf(error);
    } finally {
      client.destroy().catch(() => undefined);
      this.close();
    }
  }

  close(): void {
    this.socket.destroy();
  }
}
