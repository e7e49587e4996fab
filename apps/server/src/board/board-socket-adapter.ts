import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Socket, Server, ServerOptions } from 'socket.io';
import { WebSocketServer, type WebSocket } from 'ws';

type Connection = Socket['conn'];

/**
 * Limit for one connection, with any key. Boards send far less: 20 requests, a pong, and the packets of connecting.
 * Each frame costs work before its sender is known: 100,000 a second stopped all other clients (measured).
 */
const PACKETS_PER_SECOND_MAX = 300;

/**
 * @returns a function that counts one and says whether this second has more than allowed
 */
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
 * Cuts off websockets that send too many frames of any kind: before Socket.IO has read the first, and also while a
 * closed one still waits for the other side's close frame.
 */
class LimitedWebSocketServer extends WebSocketServer {
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
 * Ends a connection that sends too many packets, also by polling, or reads too little of its answers. Polling's TCP
 * connections are kept: they may be a proxy's, and carry others' requests.
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

const FRAME_BYTES_MAX = 64 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Socket.IO with the board's settings: small frames, no per-message deflate (5 to 9 times the CPU, measured), no
 * client files.
 */
export class BoardSocketAdapter extends IoAdapter {
  constructor(app: INestApplicationContext) {
    super(app);
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    return super.createIOServer(port, {
      ...options,
      serveClient: false,
      perMessageDeflate: false,
      httpCompression: false,
      transports: ['websocket', 'polling'],
      maxHttpBufferSize: FRAME_BYTES_MAX,
      connectTimeout: CONNECT_TIMEOUT_MS,
      wsEngine: LimitedWebSocketServer,
      // A request for an unknown namespace creates it, only to be refused in it. It is removed at once.
      cleanupEmptyChildNamespaces: true,
    } as ServerOptions);
  }
}
