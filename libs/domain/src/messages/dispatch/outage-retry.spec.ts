import { DatabaseUnavailableError, RowBusyError } from '@app/persistence/database/database.errors';
import { retryThroughOutages } from './outage-retry';

const TRIED_FOR_MS = 10_000;

/** Work that fails once, and says so when it is done at the next try. */
function failing(once: DatabaseUnavailableError, name: string, done: string[]): () => Promise<void> {
  const act = jest.fn<Promise<void>, []>().mockRejectedValueOnce(once);
  return act.mockImplementation(async () => void done.push(name));
}

it('what a busy row refused is tried again sooner than what an outage refused before it', async () => {
  const done: string[] = [];
  const failures: DatabaseUnavailableError[] = [];
  const [outage, busy] = [new DatabaseUnavailableError(null), new RowBusyError(null)];
  const retry = (act: () => Promise<void>): Promise<void> =>
    retryThroughOutages(act, TRIED_FOR_MS, (error) => failures.push(error));
  // Timers end in the order of their times, however late: the order shows which wait is shorter.
  await Promise.all([retry(failing(outage, 'outage', done)), retry(failing(busy, 'busy', done))]);
  expect(done).toEqual(['busy', 'outage']);
  expect(failures).toEqual([outage, busy]);
});

it('what a busy row refuses for longer than it is tried fails with that refusal', async () => {
  const busy = new RowBusyError(null);
  const act = jest.fn(() => Promise.reject(busy));
  await expect(retryThroughOutages(act, 10)).rejects.toBe(busy);
  expect(act).toHaveBeenCalledTimes(2);
});
