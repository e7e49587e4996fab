import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';

const PAUSE_MS = 250;
/** Supervisors give a process about a minute to start. */
const TRIES = 240;

/**
 * Repeats what a start reads while the database is overloaded or fails over. A process whose migrations just ran has the
 * right address, so ending it would only make it start again.
 * @throws the last DatabaseUnavailableError after a minute of pauses; any other error at once.
 */
export async function waitForDatabase<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
