import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

/** Where Socket.IO's own paths begin. */
export const SOCKETS = '/socket.io/';

/**
 * Express, with protocol upgrades left to the sockets' own path. Node hands every request that offers an upgrade to
 * whoever upgrades any: one that offers HTTP/2 beside, as Java's client does, would never be answered. Where nobody
 * upgrades any, as in a process for background work, it hangs up.
 */
export class HttpServerAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const server: Server = createServer(
      {
        // Nobody looks at it; Node's own refusal would be bare.
        requireHostHeader: false,
        shouldUpgradeCallback: ({ url = '' }) =>
          url.startsWith(SOCKETS) && server.listenerCount('upgrade') > 0,
      },
      this.getInstance(),
    );
    this.httpServer = server;
  }
}
