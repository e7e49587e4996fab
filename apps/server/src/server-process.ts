import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Settings } from '@app/config/settings-config';
import { CodedError } from '@app/contracts/coded.errors';
import { bringSchemaUpToDateOnceWritable } from '@app/domain/schema/schema.service';
import { makeMediaFolder } from '@app/integrations/media/media-folder';
import express from 'express';
import { ok } from './http/dto/envelope';
import { respondWithError } from './http/errors/error-responder';
import { identifyRequest, type IdentifiedRequest } from './http/routes/request-id-middleware';
import { startServer, type RunningServer } from './server-bootstrap';
import { explainStart } from './start-explanation';

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
interface WaitingServer {
  port: number;
  /** Frees the port for the process that begins. */
  close(): Promise<void>;
}

/** Answers that the process lives, and to all else that it cannot serve yet. */
async function startWaitingServer(at: { port: number; host: string }): Promise<WaitingServer> {
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

/** Runs the server until it is asked to stop. Only this code handles the process's signals. */
export async function runServer(settings: Settings): Promise<void> {
  let server: RunningServer;
  let waiting = null as WaitingServer | null;
  const endWaiting = (): void => process.exit(0);
  try {
    await makeMediaFolder(settings.media.folder);
    await bringSchemaUpToDateOnceWritable(settings.databaseUrl, async (reason) => {
      waiting = await startWaitingServer(settings);
      for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, endWaiting);
      console.log(`Leadline waits on port ${waiting.port}: ${explainStart(reason)}`);
    });
    const port = waiting?.port ?? settings.port;
    server = await startServer({ ...settings, port }, { beforeListening: async () => waiting?.close() });
    for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, endWaiting);
  } catch (error) {
    console.error(explainStart(error, settings));
    process.exit(1);
  }
  const end = (): void => {
    void server.stop().then(
      () => {
        console.log('Leadline stopped');
        process.exit(0);
      },
      (error: unknown) => {
        console.error('The service did not stop cleanly:', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // Last, because a program that reads it may end the process at once.
  const notes = [
    ...(server.everywhere ? ['and on every other address of this machine'] : []),
    ...(settings.role === 'worker' ? ['a worker: no operations and no boards'] : []),
  ];
  console.log(`Leadline listens on ${server.url}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`);
}
