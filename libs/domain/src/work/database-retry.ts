import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError, RowBusyError } from '@app/persistence/database/database.errors';

/** Each try waits for the row as long as a statement may. */
const TRIES = 5;

/**
 * Tries work again while another transaction holds the dialog's row. A statement that gave up waiting for the lock
 * has changed nothing.
 * @throws RowBusyError when the row is held for longer than all tries; any other error at once.
 */
export async function retryBusyRow<T>(act: () => Promise<T>, triesMax = TRIES): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof RowBusyError) || tries === triesMax) throw error;
    }
  }
}

const PAUSE_MS = 250;
/** Supervisors give a process about a minute to start. */
const START_TRIES = 240;

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
      if (!(error instanceof DatabaseUnavailableError) || tries === START_TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
