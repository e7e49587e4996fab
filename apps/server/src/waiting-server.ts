import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { CodedError } from '@app/contracts/coded.errors';
import express from 'express';
import { ok } from './http/dto/envelope';
import { respondWithError } from './http/errors/error-responder';
import { identifyRequest, type IdentifiedRequest } from './http/routes/request-id-middleware';

class NotWritableError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super(
      'The service waits until its database can be written: it is a standby, read-only or out of disk. Repeat the request then.',
    );
  }
}

/** What listens while the process waits for a database that can be written. */
export interface WaitingServer {
  port: number;
  /** Frees the port for the process that begins. */
  close(): Promise<void>;
}

/** Answers that the process lives, and to all else that it cannot serve yet. */
export async function startWaitingServer(at: { port: number; host: string }): Promise<WaitingServer> {
  const http = express();
  http.disable('x-powered-by');
  http.use(identifyRequest);
  http.get('/health/live', (_request, response) => void response.json(ok({ status: 'live' })));
  http.use((request, response) => {
    const { id } = request as IdentifiedRequest;
    response.set({ 'X-Request-Id': id, 'Cache-Control': 'no-store' });
    respondWithError(response, new NotWritableError(), id);
  });
  const server = http.listen(at.port, at.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
