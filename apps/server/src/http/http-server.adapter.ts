import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

const SOCKETS = '/socket.io/';

/**
 * Express, with protocol upgrades left to the sockets' own path. Node hands every request that offers an upgrade to
 * whoever upgrades any: one that offers HTTP/2 beside, as Java's client does, would never be answered.
 */
export class HttpServerAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    this.httpServer = createServer(
      { shouldUpgradeCallback: ({ url = '' }) => url.startsWith(SOCKETS) },
      this.getInstance(),
    );
  }
}
