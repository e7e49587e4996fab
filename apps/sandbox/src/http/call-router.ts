import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson } from './json.answer';

/** A request with its whole body. */
export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  query: URLSearchParams;
  /** The groups of the route's pattern, decoded. */
  params: readonly string[];
  body: Buffer;
}

export type Handler = (call: Call) => void | Promise<void>;

const BODY_BYTES_MAX = 1024 * 1024;
/** Of a route that takes files: the largest that a provider takes, the form around it, and some more to refuse. */
export const FILE_BYTES_MAX = 110 * 1024 * 1024;

/** This machine, by its names and addresses. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

interface Route {
  method: string;
  pattern: RegExp;
  handler: Handler;
  bodyBytesMax: number;
}

/** Finds the handler of a request: the first route that matches. */
export class CallRouter {
  private readonly routes: Route[] = [];

  on(method: string, pattern: RegExp, handler: Handler, bodyBytesMax = BODY_BYTES_MAX): this {
    this.routes.push({ method, pattern, handler, bodyBytesMax });
    return this;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    // A page whose name leads to this machine must not play the customer, nor read what was said.
    if (!LOOPBACK.test(request.headers.host ?? ''))
      return answerJson(response, 403, { error: 'The sandbox answers calls to this machine only.' });
    const [path = '/', query] = (request.url ?? '/').split('?', 2);
    const route = this.routes.find(({ method, pattern }) => method === request.method && pattern.test(path));
    const bytesMax = route?.bodyBytesMax ?? BODY_BYTES_MAX;
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytesMax) chunks.push(chunk);
    });
    request.on('error', () => response.destroy());
    response.on('error', () => response.destroy());
    request.on('end', () => {
      const params = route && decodeAll(route.pattern.exec(path)?.slice(1) ?? []);
      if (size > bytesMax) answerJson(response, 413, { error: 'The body is too large.' });
      else if (!route || !params) answerJson(response, 404, { error: 'There is nothing here.' });
      else {
        const body = Buffer.concat(chunks);
        const call = { request, response, path, query: new URLSearchParams(query), params, body };
        void handle(route.handler, call).catch((error: unknown) => {
          if (response.headersSent) response.destroy();
          else answerJson(response, 500, { error: String(error) });
        });
      }
    });
  };
}

/** Its errors are rejections, also those that it throws at once. */
async function handle(handler: Handler, call: Call): Promise<void> {
  await handler(call);
}

function decodeAll(parts: string[]): string[] | null {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** A page of another origin in the same browser must not play the customer or clear the ledger. */
export function refuseForeignPages(handler: Handler): Handler {
  return (call) => {
    const { origin, host } = call.request.headers;
    if (origin !== undefined && hostOf(origin) !== host)
      return answerJson(call.response, 403, { error: 'Only pages of the sandbox may do this.' });
    return handler(call);
  };
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
