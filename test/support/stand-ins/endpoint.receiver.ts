import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../eventually';

/** What an endpoint was sent, in the order in which it came whole. */
export interface ReceivedEvent {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown> & { thread_id: string | null; seq: number; version: number | null };
  /** Whether it was sent again on request. */
  isReplay: boolean;
  headers: IncomingMessage['headers'];
  body: string;
  /** Whether the answer was one of 2xx. */
  accepted: boolean;
}

/** Answers a request. False: the event was not accepted. */
type Answer = (response: ServerResponse, request: IncomingMessage) => boolean;

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers).end();
    return code >= 200 && code < 300;
  };

/** Ways in which a receiver answers. */
export const ANSWERS = {
  ok: status(204),
  fail: status(500),
  gone: status(410),
  redirect: status(302, { location: 'http://127.0.0.1:1/elsewhere' }),
  later: status(503, { 'retry-after': '1' }),
  hang: () => false,
  reset: (response) => {
    response.socket?.resetAndDestroy();
    return false;
  },
  /** Accepts it, with a body that never ends. */
  drip: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(1_000)), 5);
    response.on('close', () => clearInterval(timer));
    return true;
  },
} as const satisfies Record<string, Answer>;

/** An endpoint of a receiver: a real HTTP server that verifies each event by the reference library. */
export class EndpointReceiver {
  readonly events: ReceivedEvent[] = [];
  /** Requests whose signature did not verify. */
  readonly forged: string[] = [];
  /** Most requests that were open at a time. */
  mostAtOnce = 0;
  /** How the next requests are answered, before {@link usual}. */
  readonly next: Answer[] = [];
  usual: Answer = ANSWERS.ok;
  secret = '';
  private open = 0;

  private constructor(private readonly server: Server) {}

  static async start(port = 0): Promise<EndpointReceiver> {
    const server = createServer();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    const receiver = new EndpointReceiver(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      receiver.mostAtOnce = Math.max(receiver.mostAtOnce, (receiver.open += 1));
      response.on('close', () => (receiver.open -= 1));
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => receiver.take(request, response, Buffer.concat(chunks).toString()));
    });
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  /** Events that were accepted, each once, in the order in which they first were. */
  get accepted(): ReceivedEvent[] {
    const byId = new Map<string, ReceivedEvent>();
    for (const event of this.events) if (event.accepted && !byId.has(event.id)) byId.set(event.id, event);
    return [...byId.values()];
  }

  of(threadId: string): ReceivedEvent[] {
    return this.events.filter(({ data }) => data.thread_id === threadId);
  }

  /** Waits until so many events were accepted. */
  async until(count: number, ofTypes?: readonly string[], withinMs = 10_000): Promise<ReceivedEvent[]> {
    const found = (): ReceivedEvent[] =>
      this.accepted.filter(({ type }) => ofTypes === undefined || ofTypes.includes(type));
    return eventually(
      async () => (found().length >= count ? found() : null),
      withinMs,
      `${count} events did not arrive`,
    ).catch((error: unknown) => {
      throw new Error(
        `${String(error)}: ${JSON.stringify(this.events.map(({ type, accepted }) => [type, accepted]))}`,
      );
    });
  }

  /** Refuses connections, as where its process is gone; those that are open end. */
  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  /** Is stopped for a while, and is then at the same address again. */
  async dieFor(milliseconds: number): Promise<void> {
    const { port } = this;
    await this.stop();
    await sleep(milliseconds);
    await once(this.server.listen(port, '127.0.0.1'), 'listening');
  }

  private take(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { headers } = request;
    const signed = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
    );
    try {
      new Webhook(this.secret).verify(body, signed);
    } catch (error) {
      this.forged.push(`${String(error)} ${body.slice(0, 200)}`);
    }
    const { type, timestamp, data } = JSON.parse(body) as ReceivedEvent;
    const event = { type, timestamp, data, headers, body, id: String(headers['webhook-id']) };
    const answer = this.next.shift() ?? this.usual;
    const accepted = answer(response, request);
    this.events.push({ ...event, isReplay: headers['webhook-replay'] === 'true', accepted });
  }
}
