import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';

const TRY_AGAIN_MS = 500;

/**
 * Does what must not be lost to an outage of the database: tries again for a time, in milliseconds.
 * @param onOutage is told of each failure that is not the last
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
