import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

/** Where Socket.IO's own paths begin. */
export const SOCKETS = '/socket.io/';

/**
 * Express, with protocol upgrades limited to the sockets' path. Node passes every request that offers an upgrade to
 * the upgrade listener. A request that only offers HTTP/2, as Java's client sends it, would then never be answered.
 * Without such a listener, as in a process for background work, Node closes the connection.
 */
export class HttpServerAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const server: Server = createServer(
      {
        // Nothing reads it. Node's refusal would lack our envelope.
        requireHostHeader: false,
        shouldUpgradeCallback: ({ url = '' }) =>
          url.startsWith(SOCKETS) && server.listenerCount('upgrade') > 0,
      },
      this.getInstance(),
    );
    this.httpServer = server;
  }
}
