import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'socket.io';
import { WebSocketServer, type WebSocket } from 'ws';

type Connection = Socket['conn'];

/**
 * Of one connection, whoever it is. Boards send far fewer: 20 requests, a pong, and what belongs to connecting. Each
 * costs the process some work before anything is known of its sender: 100,000 a second stopped all others (measured).
 */
const PACKETS_PER_SECOND_MAX = 300;

/** Counts something, and tells whether there is more of it in this second than may be. */
function limiter(): () => boolean {
  let second = 0;
  let packets = 0;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    packets = now === second ? packets + 1 : 1;
    second = now;
    return packets > PACKETS_PER_SECOND_MAX;
  };
}

/**
 * Websockets that are cut off when they send too many frames of any kind: before Socket.IO has looked at the first, and
 * also while one that it has closed still waits for the other side's goodbye.
 */
export class LimitedWebSocketServer extends WebSocketServer {
  override handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    take: (client: WebSocket, request: IncomingMessage) => void,
  ): void {
    super.handleUpgrade(request, socket, head, (client: WebSocket, upgraded: IncomingMessage) => {
      const isTooMany = limiter();
      const count = (): void => {
        if (isTooMany()) client.terminate();
      };
      for (const frame of ['message', 'ping', 'pong'] as const) client.on(frame, count);
      take(client, upgraded);
    });
  }
}

/**
 * Ends a connection that sends too many packets, by polling too, or reads too little of what they are answered with.
 * Polling's own connections are left: they may be a proxy's, and carry others' requests.
 * @param isFlooded whether too much waits for the connection
 */
export function endFloods(conn: Connection, isFlooded: () => boolean): void {
  const isTooMany = limiter();
  conn.on('packet', () => {
    if (!isTooMany() && !isFlooded()) return;
    conn.close(true);
    (conn.transport as unknown as { socket?: WebSocket }).socket?.terminate();
  });
}
