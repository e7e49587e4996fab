import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { eventually } from '../eventually';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** When its head was read. */
  begunAt: number;
}

export type Behaviour = (response: ServerResponse, request: SeenRequest) => void;

/** A provider on the loopback that records its requests and gives scripted answers. */
export class StandInProvider {
  readonly ledger: SeenRequest[] = [];
  /** Connections that were opened to it. */
  connections = 0;
  behave: Behaviour = (response) => void response.end('{}');

  private constructor(private readonly server: Server) {
    server.on('connection', () => void (this.connections += 1));
    server.on('request', (request, response) => {
      const begunAt = performance.now();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8'), begunAt };
        this.ledger.push(seen);
        this.behave(response, seen);
      });
    });
  }

  static async open(): Promise<StandInProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StandInProvider(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers from now on with this status and JSON, or text as it is. */
  answer(status: number, body: unknown, headers: Record<string, string> = {}): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    this.behave = (response) => void response.writeHead(status, headers).end(text);
  }

  /** Forgets what it saw and how it behaved. */
  reset(): void {
    this.ledger.length = 0;
    this.connections = 0;
    this.behave = (response) => void response.end('{}');
  }

  /** How many connections are open, once they are as many as given, or when that does not happen within two seconds. */
  async openConnections(awaited: number): Promise<number> {
    const count = promisify(this.server.getConnections.bind(this.server));
    await eventually(async () => (await count()) === awaited, 2_000, 'not so many connections').catch(
      () => undefined,
    );
    return count();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Ways in which a provider takes a request and gives no usable answer. */
export const UNUSABLE: Readonly<Record<string, Behaviour>> = {
  'no answer': () => undefined,
  'a reset': (response) => void response.socket?.resetAndDestroy(),
  'an end without a word': (response) => void response.socket?.end(),
  'a head without its body': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"messages":[{"id":"wamid.CUT"}]');
    setImmediate(() => response.socket?.destroy());
  },
  'a refusal that is cut': (response) => {
    response.writeHead(400, { 'content-length': '1000' });
    response.write('{"error":{"code":');
    setImmediate(() => response.socket?.destroy());
  },
  garbage: (response) => void response.end('<html>\u0000\ud83d fine</html>'),
  'an empty 200': (response) => void response.end(),
  'a 200 without an id': (response) => void response.end('{"messages":[{}],"status":"submitted"}'),
  'an id that is no text': (response) => void response.end('{"messages":[{"id":7}],"messageId":7}'),
  'an id of 60,000 characters': (response) => {
    const id = 'x'.repeat(60_000);
    response.end(JSON.stringify({ messages: [{ id }], messageId: id }));
  },
  'a redirect': (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  'a 308 to another host': (response) =>
    void response.writeHead(308, { location: 'http://127.0.0.1:9/' }).end(),
  'a 304': (response) => void response.writeHead(304).end(),
  'a 408': (response) => void response.writeHead(408).end('{"error":{"code":131026,"message":"x"}}'),
  'a 500': (response) => void response.writeHead(500).end('{"error":{"code":3,"message":"x"}}'),
  'a 503': (response) => void response.writeHead(503).end('<html>Bad gateway</html>'),
  'no HTTP at all': (response) => void response.socket?.end('HELLO\r\n\r\n'),
  '100 MB': (response) => {
    const chunk = Buffer.alloc(1_048_576, 'x');
    let sent = 0;
    response.writeHead(200, { 'content-length': String(100 * chunk.length) });
    response.on('error', () => undefined);
    const more = (): void => {
      while (sent < 100 && !response.destroyed) {
        sent += 1;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
    };
    more();
  },
};
