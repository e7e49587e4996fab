import { FAILURES_UNTIL_PROBED } from '@app/contracts/webhook.words';
import type { EndedAttempt } from './delivery-outcome';
import { probeInMs } from './retry-schedule';

/** Requests to one endpoint at a time. */
const IN_FLIGHT_MAX = 10;

/** How an endpoint fares by its answers. One that fails time and again gets one request at a time, with pauses between them. */
export class EndpointHealth {
  private pausedUntil = -Infinity;

  /** @param failuresInARow up to now */
  constructor(private failuresInARow: number) {}

  /** How many requests may be under way. */
  get atOnce(): number {
    return this.failuresInARow >= FAILURES_UNTIL_PROBED ? 1 : IN_FLIGHT_MAX;
  }

  /** How long nothing more is sent, in milliseconds. */
  get pausedMs(): number {
    return Math.max(0, this.pausedUntil - performance.now());
  }

  /** How many attempts have failed in a row after these as well. A fault of ours says nothing about the receiver. */
  failuresAfter(attempts: readonly EndedAttempt[]): number {
    let failures = this.failuresInARow;
    for (const { state, isOurFault } of attempts)
      if (!isOurFault) failures = state === 'delivered' ? 0 : failures + 1;
    return failures;
  }

  /** What is written down may be fewer than this process knows of: a test has passed meanwhile. */
  take(failures: number): void {
    if (failures >= this.failuresInARow) return;
    this.failuresInARow = failures;
    this.pausedUntil = -Infinity;
  }

  /** So many attempts have failed in a row, which is written down. */
  settle(failures: number): void {
    this.failuresInARow = failures;
    this.pausedUntil = performance.now() + probeInMs(failures);
  }
}
