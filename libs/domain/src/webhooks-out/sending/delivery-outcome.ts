import { processLimits } from '@app/config/process-limits';
import { FAILURES_UNTIL_PROBED, type DeliveryAttempt, type ServiceFault } from '@app/contracts/webhook.words';
import type { DueDelivery, SettledAttempt } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import type { WebhookOutcome } from './webhook-sender.port';

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

/** What came of an attempt. */
export interface EndedAttempt extends SettledAttempt {
  /** Whether it failed before anything was sent, which says nothing about the receiver. */
  isOurFault: boolean;
}

/** One that was made at an address, which may not be the endpoint's any more. */
export interface SentAttempt extends EndedAttempt {
  url: string;
}

const passes = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Whether an answer says that the endpoint is there no more, and is to be disabled. */
export const isGone = ({ status }: Pick<DeliveryAttempt, 'status'>): boolean => status === 410;

/** What becomes of a delivery after an attempt: a status of 2xx passes, anything else is tried again until the schedule ends. */
export function outcomeOf(
  { id, tries }: Pick<DueDelivery, 'id' | 'tries'>,
  at: Date,
  { status, ms, error, reason, retryAfterMs }: WebhookOutcome,
): EndedAttempt {
  const attempt = { at: at.toISOString(), status, ms: Math.round(ms), error, reason };
  const made = { id, tries, attempt, isOurFault: false };
  if (passes(status)) return { ...made, state: 'delivered', againMs: null };
  const againMs = retryInMs(tries + 1, retryAfterMs);
  return { ...made, state: againMs === null ? 'failed' : 'pending', againMs };
}

/** Why nothing could be sent, and what admins are told of it. */
const OUR_FAULTS = {
  secret: 'the signing secret does not open with the present key: rotate it',
  no_event: 'the event is not in the log any more',
  no_body: 'the event could not be made into a body',
} as const satisfies Record<ServiceFault, string>;

/** What becomes of a delivery that could not be sent. It is tried again as one that failed. */
export const faultOf = (
  delivery: Pick<DueDelivery, 'id' | 'tries'>,
  at: Date,
  reason: ServiceFault,
): EndedAttempt => ({ ...outcomeOf(delivery, at, failedAtOnce(reason)), isOurFault: true });

/** The outcome of a request that was not made. */
export const failedAtOnce = (reason: ServiceFault): WebhookOutcome => ({
  ...{ status: null, ms: 0, error: OUR_FAULTS[reason] },
  ...{ reason, retryAfterMs: null },
});

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

/** So much of a second may be made up for after a pause. */
const BURST_MS = 100;
const SECOND_MS = 1_000;

/** Keeps the requests of one endpoint to so many in any second, evenly. Only one process at a time sends to it. */
export class DeliveryPace {
  /** When the next request may begin, by the monotonic clock. */
  private nextAt = -Infinity;
  private spaceMs = 0;
  /** When those of the last second began. */
  private readonly begun: number[] = [];

  /** How many may begin now. @param maxPerSecond null: any number */
  room(maxPerSecond: number | null): number {
    this.spaceMs = maxPerSecond === null ? 0 : SECOND_MS / maxPerSecond;
    if (maxPerSecond === null) return Infinity;
    const now = performance.now();
    while ((this.begun[0] ?? Infinity) <= now - SECOND_MS) this.begun.shift();
    const sinceMs = now - Math.max(this.nextAt, now - BURST_MS);
    const even = sinceMs < 0 ? 0 : 1 + Math.floor(sinceMs / this.spaceMs);
    return Math.max(0, Math.min(even, maxPerSecond - this.begun.length));
  }

  /** How long none may begin, in milliseconds. */
  waitMs(maxPerSecond: number | null): number {
    if (maxPerSecond === null) return 0;
    const now = performance.now();
    const full = this.begun[this.begun.length - maxPerSecond];
    return Math.max(0, this.nextAt - now, full === undefined ? 0 : full + SECOND_MS - now);
  }

  /** One begins. */
  take(): void {
    if (this.spaceMs === 0) return;
    const now = performance.now();
    this.nextAt = Math.max(this.nextAt, now - BURST_MS) + this.spaceMs;
    this.begun.push(now);
  }
}
