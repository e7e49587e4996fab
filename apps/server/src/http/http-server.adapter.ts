import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

/** Where Socket.IO's own paths begin. */
export const SOCKETS = '/socket.io/';

/**
 * Express, with protocol upgrades left to the sockets' own path. Node gives every request that offers an upgrade to the
 * upgrade listener, so one that only offers HTTP/2, as Java's client does, would never be answered. Without such a
 * listener, as in a process for background work, Node hangs up.
 */
export class HttpServerAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const server: Server = createServer(
      {
        // Nothing reads it; Node's own refusal would be bare.
        requireHostHeader: false,
        shouldUpgradeCallback: ({ url = '' }) =>
          url.startsWith(SOCKETS) && server.listenerCount('upgrade') > 0,
      },
      this.getInstance(),
    );
    this.httpServer = server;
  }
}
