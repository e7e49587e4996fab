import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError, RowBusyError } from '@app/persistence/database/database.errors';

const TRY_AGAIN_MS = 500;
/** A row is usually free again after milliseconds. */
const BUSY_AGAIN_MS = 50;

/**
 * Does work that an outage of the database must not lose: tries it again for a time, in milliseconds.
 * @param onOutage is called for each failure except the last
 * @throws DatabaseUnavailableError when the outage lasts, and any other error at once.
 */
export async function retryThroughOutages<T>(
  act: () => Promise<T>,
  milliseconds: number,
  onOutage: (error: DatabaseUnavailableError) => void = () => undefined,
): Promise<T> {
  const last = performance.now() + milliseconds;
  for (;;) {
    let againMs = TRY_AGAIN_MS;
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || performance.now() > last) throw error;
      onOutage(error);
      if (error instanceof RowBusyError) againMs = BUSY_AGAIN_MS;
    }
    await sleep(againMs, undefined, { ref: false });
  }
}
