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

/** Finds the handler of a request: the first route that matches. */
export class CallRouter {
  private readonly routes: { method: string; pattern: RegExp; handler: Handler }[] = [];

  on(method: string, pattern: RegExp, handler: Handler): this {
    this.routes.push({ method, pattern, handler });
    return this;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_BYTES_MAX) chunks.push(chunk);
    });
    request.on('error', () => response.destroy());
    response.on('error', () => response.destroy());
    request.on('end', () => {
      if (size > BODY_BYTES_MAX) answerJson(response, 413, { error: 'The body is too large.' });
      else
        void this.dispatch(request, response, Buffer.concat(chunks)).catch((error: unknown) => {
          if (response.headersSent) response.destroy();
          else answerJson(response, 500, { error: String(error) });
        });
    });
  };

  private async dispatch(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const [path = '/', query] = (request.url ?? '/').split('?', 2);
    for (const { method, pattern, handler } of this.routes) {
      if (method !== request.method) continue;
      const match = pattern.exec(path);
      if (!match) continue;
      const params = decodeAll(match.slice(1));
      if (!params) break;
      await handler({ request, response, path, query: new URLSearchParams(query), params, body });
      return;
    }
    answerJson(response, 404, { error: 'There is nothing here.' });
  }
}

function decodeAll(parts: string[]): string[] | null {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}
