import { RowBusyError } from '@app/persistence/database/database.errors';

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
