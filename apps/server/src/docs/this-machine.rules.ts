import type { IncomingMessage } from 'node:http';

const LOOPBACK_PEER = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * Whether a person at this machine asks. The peer's address is not enough: a page whose name resolves to 127.0.0.1
 * makes the person's own browser ask, and a proxy asks for others.
 */
export function asksFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  return (
    LOOPBACK_PEER.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}
