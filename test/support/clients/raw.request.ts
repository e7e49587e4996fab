import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import type { Answer } from './api.client';

const DEADLINE_MS = 30_000;
const sharedAgent = new Agent({ keepAlive: true, maxSockets: 64 });

/** The headers by which a browser opens a websocket. */
export const WEBSOCKET = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
};

export interface LiteralRequest {
  method?: string;
  /** Sent unchanged: neither normalised nor encoded. */
  path: string;
  /** An array repeats the header. */
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  /** Send the body in chunks, without announcing its length. */
  chunked?: boolean;
  /** Hangs up without waiting for the answer. */
  signal?: AbortSignal;
  /** Whose connections it uses. Those of the default are 64 at most: further calls wait for one. */
  agent?: Agent;
}

/** One HTTP request to the letter: any method, any path, repeated headers, a body with or without its length. */
export function requestLiterally(
  url: string,
  { method = 'POST', path, headers = {}, body, chunked = false, signal, agent = sharedAgent }: LiteralRequest,
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise<Answer>((resolve, reject) => {
    const length = chunked || body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const outgoing = httpRequest(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: { ...length, ...headers },
        signal: AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ...(signal ? [signal] : [])]),
      },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const answered = new Headers();
          for (const [name, values] of Object.entries(incoming.headersDistinct)) {
            for (const value of values ?? []) answered.append(name, value);
          }
          const text = Buffer.concat(parts).toString();
          const isJson = (incoming.headers['content-type'] ?? '').startsWith('application/json');
          resolve({
            status: incoming.statusCode ?? 0,
            headers: answered,
            text,
            body: isJson && text ? JSON.parse(text) : {},
          });
        });
      },
    );
    outgoing.once('error', reject);
    if (chunked) outgoing.setHeader('Transfer-Encoding', 'chunked');
    outgoing.end(body);
  });
}
