import { processLimits } from '@app/config/process-limits';
import { FAILURES_UNTIL_PROBED } from '@app/contracts/webhook.words';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const RETRY_TIMES = processLimits('webhookRetries', {
  /** From a failed attempt to the next, in milliseconds: the first attempt and nine more, 76 hours in all. */
  retriesMs: [
    5_000,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ],
  /** From one probe of an endpoint that fails to the next: doubled with each, up to the longest. */
  probeMs: 1_000,
  probeLongestMs: 15_000,
});

/** Retries differ by so much, so that those of one outage do not come at one moment. */
const JITTER = 0.1;

/**
 * When a delivery is tried again after so many tries, in milliseconds.
 * @param retryAfterMs what the receiver asks for, at least; null: nothing
 * @param random from 0 to 1
 * @returns null: not any more
 */
export function retryInMs(
  tries: number,
  retryAfterMs: number | null,
  random: number = Math.random(),
): number | null {
  const waitMs = RETRY_TIMES.retriesMs[tries - 1];
  if (waitMs === undefined) return null;
  return Math.max(waitMs * (1 + JITTER * (2 * random - 1)), retryAfterMs ?? 0);
}

/** How long an endpoint that failed so often in a row gets nothing, in milliseconds. */
export function probeInMs(failures: number): number {
  const doubled = RETRY_TIMES.probeMs * 2 ** Math.min(failures - FAILURES_UNTIL_PROBED, 20);
  return failures < FAILURES_UNTIL_PROBED ? 0 : Math.min(doubled, RETRY_TIMES.probeLongestMs);
}
