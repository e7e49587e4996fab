import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'socket.io';
import { WebSocketServer, type WebSocket } from 'ws';

type Connection = Socket['conn'];

/**
 * Of one connection, with any key. Boards send far fewer: 20 requests, a pong, and what belongs to connecting. Each
 * frame costs the process work before its sender is known: 100,000 a second stopped all other clients (measured).
 */
const PACKETS_PER_SECOND_MAX = 300;

/** @returns what counts one and says whether this second has more than allowed. */
export function limiter(perSecondMax: number): () => boolean {
  let second = 0;
  let counted = 0;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    counted = now === second ? counted + 1 : 1;
    second = now;
    return counted > perSecondMax;
  };
}

/**
 * Websockets that are cut off when they send too many frames of any kind: before Socket.IO has read the first, and also
 * while a closed one still waits for the other side's close frame.
 */
export class LimitedWebSocketServer extends WebSocketServer {
  override handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    take: (client: WebSocket, request: IncomingMessage) => void,
  ): void {
    super.handleUpgrade(request, socket, head, (client: WebSocket, upgraded: IncomingMessage) => {
      const isTooMany = limiter(PACKETS_PER_SECOND_MAX);
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
  const isTooMany = limiter(PACKETS_PER_SECOND_MAX);
  conn.on('packet', () => {
    if (!isTooMany() && !isFlooded()) return;
    conn.close(true);
    (conn.transport as unknown as { socket?: WebSocket }).socket?.terminate();
  });
}
