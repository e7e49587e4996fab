import type { LookupFunction, Socket } from 'node:net';
import { asSpan } from '@app/contracts/trace-recorder';
import type { HttpToolCall, HttpToolConnection, HttpToolStatus } from '@app/domain/assistants/http-tool.port';
import { buildConnector, Client } from 'undici';
import { retryAfterMs } from '../http/retry-after-header';
import { areSent, sentHeaders } from './call-headers';
import { failed, failureOf, REFUSED_HEADERS } from './call-failures';
import { permittedBy, WithheldError } from './permitted-handler';

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
