import type { DeliveryAttempt, ServiceFault } from '@app/contracts/webhook.words';
import type { DueDelivery, SettledAttempt } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { retryInMs } from './retry-schedule';
import type { WebhookOutcome } from './webhook-sender.port';

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
