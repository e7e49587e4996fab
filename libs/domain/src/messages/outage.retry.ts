import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';

const TRY_AGAIN_MS = 500;

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
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || performance.now() > last) throw error;
      onOutage(error);
    }
    await sleep(TRY_AGAIN_MS, undefined, { ref: false });
  }
}
