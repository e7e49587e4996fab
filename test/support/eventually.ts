import { availableParallelism, loadavg } from 'node:os';

const FIRST_LOOKS_MS = 10;
const LATER_LOOKS_MS = 50;
/** A look is often a query: a test that waits for long must not take the processor from what it waits for. */
const SOON_MS = 500;
/** From here on a deadline is the time of a common machine, not a promise of the product: a slow one gets more of it. */
const COMMON_MS = 5_000;
const SLOW_MACHINE = 3;

/**
 * A time limit on a machine that has other work: as much longer as there are more processes than processors. Alone, a test
 * holds the product to its time; beside others it can't tell a slow product from a late turn, and speed is the benchmarks'.
 */
export const inTime = (limitMs: number): number =>
  limitMs * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

/** Waits until a check returns something (not undefined, null, false or an empty text), or fails at the deadline. */
export async function eventually<T>(
  look: () => Promise<T | undefined | null | false>,
  deadlineMs: number,
  failure: string,
): Promise<T> {
  const begun = performance.now();
  const allowedMs = deadlineMs < COMMON_MS ? deadlineMs : deadlineMs * SLOW_MACHINE;
  for (;;) {
    // The last look begins after the deadline: what came while this process stood still came in time.
    const waited = performance.now() - begun;
    const found = await look();
    if (found !== undefined && found !== null && found !== false && found !== '') return found;
    if (waited > Math.max(allowedMs, inTime(deadlineMs)))
      throw new Error(`${failure} within ${Math.round(waited)} ms`);
    const pause = waited < SOON_MS ? FIRST_LOOKS_MS : LATER_LOOKS_MS;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
