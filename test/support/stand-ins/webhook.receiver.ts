import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../eventually';

/** A webhook's JSON, of which a test knows the shape. */
export type Loose = Record<string, any>;

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  /** The very bytes. */
  body: Buffer;
  json: Loose;
  at: number;
}

const DEADLINE_MS = 8_000;

/** A loopback server that stores each webhook and gives scripted answers. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** The status of the next answers, before 200; null hangs. */
  readonly answers: (number | null)[] = [];
  verifyToken = '';

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    readonly url: string,
  ) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new WebhookReceiver(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers, method } = request;
        if (method === 'GET') {
          const { searchParams } = new URL(url, 'http://receiver');
          const known = searchParams.get('hub.verify_token') === receiver.verifyToken;
          return response.writeHead(known ? 200 : 403).end(searchParams.get('hub.challenge'));
        }
        const body = Buffer.concat(chunks);
        const json = JSON.parse(body.toString('utf8')) as Loose;
        receiver.received.push({ path: url, headers, body, json, at: performance.now() });
        const status = receiver.answers.length > 0 ? receiver.answers.shift() : 200;
        if (typeof status === 'number') response.writeHead(status).end();
      });
    });
    return receiver;
  }

  /** The bodies received so far. */
  bodies(): Loose[] {
    return this.received.map(({ json }) => json);
  }

  /** All changes of the Cloud API's bodies. */
  changes(): { field: string; value: Loose }[] {
    const entries = this.bodies().flatMap(
      ({ entry }) => (entry ?? []) as { changes: { field: string; value: Loose }[] }[],
    );
    return entries.flatMap(({ changes }) => changes);
  }

  /** The statuses of a message, by its id or its reference, in the order of their arrival. */
  statuses(key: string): Loose[] {
    return this.changes()
      .flatMap(({ value }) => (value.statuses ?? []) as Loose[])
      .filter(({ id, biz_opaque_callback_data: reference }) => id === key || reference === key);
  }

  /** Gupshup's events to a destination, in the order of their arrival. */
  events(destination: string): Loose[] {
    return this.bodies().filter(({ payload }) => payload?.destination === destination);
  }

  /** The first result that a check finds in what was received. */
  async until<T>(look: () => T | undefined | null | false, failure: string): Promise<T> {
    return eventually(async () => look(), DEADLINE_MS, failure);
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
