import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A permit to begin an effect outside, such as a message, is granted by a statement that looks at what forbids it. Its
 * holder begins within this time, by a clock that starts before the statement, or not at all.
 */
export const HOLDER_MS = 500;
const MARGIN_MS = 100;

/** Resolves when no permit is valid any more that was granted before what forbids it was committed. */
export const untilEarlierPermitsAreVoid = (): Promise<void> => sleep(HOLDER_MS + MARGIN_MS);
