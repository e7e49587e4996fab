/** Less than this is the way of an answer, and its seconds. */
const TOLERATED_MS = 10_000;

/** By how much this machine's clock is ahead of the server's. */
let aheadMs = 0;

/** Learns it from an answer. @param date its header `Date` */
export function learnTime(date: string | null): void {
  const told = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(told)) return;
  const ahead = Date.now() - told;
  aheadMs = Math.abs(ahead) < TOLERATED_MS ? 0 : ahead;
}

/** The time by the server's clock, as far as it is known. What is counted up or down is counted by it. */
export const serverNow = (): number => Date.now() - aheadMs;
