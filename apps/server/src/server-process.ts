import type { Settings } from '@app/config/settings-config';
import { bringSchemaUpToDateOnceWritable } from '@app/domain/schema/schema.service';
import { makeMediaFolder } from '@app/integrations/media/media-folder';
import { startServer, type RunningServer } from './server-bootstrap';
import { explainStart } from './start-explanation';
import { startWaitingServer, type WaitingServer } from './waiting-server';

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
