import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions } from 'socket.io';
import { LimitedWebSocketServer } from './packet-limit';

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
