import type { DeliveryAttempt } from '@app/contracts/webhook.words';
import type { DueDelivery, SettledAttempt } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { retryInMs } from './retry.schedule';
import type { WebhookOutcome } from './webhook-sender.port';

/** What came of an attempt. */
export interface EndedAttempt extends SettledAttempt {
  /** Whether it failed before anything was sent, which says nothing about the receiver. */
  isOurFault: boolean;
}

const passes = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Whether an answer says that the endpoint is there no more, and is to be disabled. */
export const isGone = ({ status }: Pick<DeliveryAttempt, 'status'>): boolean => status === 410;

/** What becomes of a delivery after an attempt: a status of 2xx passes, anything else is tried again until the schedule ends. */
export function outcomeOf(
  { id, tries }: Pick<DueDelivery, 'id' | 'tries'>,
  at: Date,
  { status, ms, error, retryAfterMs }: WebhookOutcome,
): EndedAttempt {
  const attempt = { at: at.toISOString(), status, ms: Math.round(ms), error };
  if (passes(status)) return { id, state: 'delivered', againMs: null, attempt, isOurFault: false };
  const againMs = retryInMs(tries + 1, retryAfterMs);
  return { id, state: againMs === null ? 'failed' : 'pending', againMs, attempt, isOurFault: false };
}

/** What becomes of a delivery that could not be sent. It is tried again as one that failed. @param error why, for admins */
export const faultOf = (
  delivery: Pick<DueDelivery, 'id' | 'tries'>,
  at: Date,
  error: string,
): EndedAttempt => ({ ...outcomeOf(delivery, at, failedAtOnce(error)), isOurFault: true });

/** The outcome of a request that was not made. */
export const failedAtOnce = (error: string): WebhookOutcome => ({
  ...{ status: null, ms: 0, error },
  retryAfterMs: null,
});
