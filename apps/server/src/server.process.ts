import type { Settings } from '@app/config/settings.config';
import { bringSchemaUpToDate } from '@app/domain/schema/schema.service';
import { startServer, type RunningServer } from './server.bootstrap';

/** What looking up a name gives when it has no address, or no name server answers. */
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const UNREACHABLE = new Set([...NO_SUCH_NAME, 'ECONNREFUSED', 'ETIMEDOUT']);

/** A cause that a person can mend, as one line. */
export function explainStart(error: unknown, settings: Pick<Settings, 'port' | 'host'>): string {
  const { code = '', message, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  if (code === 'EADDRINUSE') {
    return `PORT ${settings.port} is already in use: stop the other program or choose another PORT.`;
  }
  if (code === 'EACCES')
    return `PORT ${settings.port} may not be opened by this user: choose one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || (NO_SUCH_NAME.has(code) && hostname === settings.host)) {
    return `HOST ${settings.host} is no address of this machine.`;
  }
  if (UNREACHABLE.has(code)) {
    return `The database that DATABASE_URL names cannot be reached (${code}).`;
  }
  return `The service could not start: ${message || code}`;
}

/** Runs the server until it is told to end; the one owner of this process's signals. */
export async function runServer(settings: Settings): Promise<void> {
  let server: RunningServer;
  try {
    await bringSchemaUpToDate(settings.databaseUrl);
    server = await startServer(settings);
  } catch (error) {
    console.error(explainStart(error, settings));
    process.exit(1);
  }
  const end = (): void => {
    void server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('The service did not stop cleanly:', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // Last, for whoever reads it may tell the process to end at once.
  console.log(`Leadline listens on ${server.url}`);
}
