import { RowBusyError } from '@app/persistence/database/database.errors';

/** Each of them waits for the row as long as a statement may. */
const TRIES_MAX = 5;

/**
 * Does what must not be lost because somebody holds the dialog: a statement that gave up its lock has done nothing.
 * @throws RowBusyError when the dialog is held for longer than that, and any other error at once.
 */
export async function retryBusyRow<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof RowBusyError) || tries === TRIES_MAX) throw error;
    }
  }
}
