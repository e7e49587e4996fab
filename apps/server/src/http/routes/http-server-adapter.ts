import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import type { Envelope } from '../dto/envelope';
import { namesItsHost } from './route-check-middleware';

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
        // The route check refuses it, with the headers of every answer.
        requireHostHeader: false,
        shouldUpgradeCallback: (request) =>
          request.url?.startsWith(SOCKETS) === true &&
          server.listenerCount('upgrade') > 0 &&
          namesItsHost(request),
      },
      this.getInstance(),
    );
    this.httpServer = server;
  }

  /**
   * The envelope of an operation, written at once. Express would look at its settings for JSON and ETags, and parse the
   * type that it has just set.
   */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!isEnvelope(body) || response.req.method !== 'POST')
      return super.reply(response, body, statusCode) as unknown;
    if (statusCode !== undefined) response.statusCode = statusCode;
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }
}

const isEnvelope = (body: unknown): body is Envelope<unknown> =>
  typeof body === 'object' && body !== null && 'ok' in body && body.ok === true;
