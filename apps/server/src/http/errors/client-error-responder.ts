import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The answer that Node would send, if nothing listened to `clientError`. */
const STATUS_LINES: Partial<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

const BODY_BROKEN = 'leadline:body-broken';
const broken = new WeakSet<IncomingMessage>();

/**
 * Reports, now or later, that the remainder of a body will never come: it was cut off, is too slow, or is not HTTP.
 */
export function onBodyBroken(request: IncomingMessage, tell: () => void): void {
  if (broken.has(request)) tell();
  else request.once(BODY_BROKEN, tell);
}

/**
 * Ends a connection on which Node's parser, or its timeout, gave up.
 *
 * A request with a wrong body is answered in order like any other. Bytes after a whole request do not spoil that
 * request's answer. A bare answer is written only where no request is known, and never after another answer: a client
 * would take it for the answer to its next request. Both sides of the connection are closed, because a caller that
 * does not close its side must not keep it.
 * @param open the answers that are not finished, in the order of their requests
 */
export function clientErrorAnswer(open: Iterable<ServerResponse>) {
  return (error: NodeJS.ErrnoException, connection: Duplex): void => {
    const socket = connection as Socket;
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const last = [...open].filter(({ req }) => req.socket === socket).at(-1);
    if (!last) {
      if (socket.bytesWritten === 0) {
        const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
        const headers = `X-Request-Id: ${randomUUIDv7()}\r\nConnection: close\r\nContent-Length: 0`;
        socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n`);
      }
      socket.destroySoon();
      return;
    }
    if (last.headersSent) last.once('finish', () => socket.destroySoon());
    else last.setHeader('Connection', 'close');
    if (last.req.complete) return;
    broken.add(last.req);
    last.req.emit(BODY_BROKEN);
  };
}
