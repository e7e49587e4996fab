import type { ServerResponse } from 'node:http';
import { answer, type Answer } from '../http/json.answer';

const HUGE_BYTES = 100 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 'a');
const REDIRECT_TARGET = '/sandbox/redirected';

/** The request stays open until the caller gives up or the sandbox stops. */
export const hang = (): void => undefined;

export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

export const answerGarbage = (response: ServerResponse): void =>
  answer(response, {
    status: 200,
    body: '<html><body>It works!</body></html>',
    headers: { 'content-type': 'text/html' },
  });

/** Well-formed JSON of 100 MB, so that only its size is wrong. */
export function answerHuge(response: ServerResponse): void {
  let left = HUGE_BYTES;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"padding":"');
  const go = (): void => {
    while (left > 0) {
      if (response.destroyed) return;
      left -= CHUNK.length;
      if (!response.write(CHUNK)) {
        response.once('drain', go);
        return;
      }
    }
    response.end('"}');
  };
  go();
}

/** Keeps method and body, so that a client that follows the redirect sends again. */
export const REDIRECT: Answer = { status: 307, body: '', headers: { location: REDIRECT_TARGET } };
