import type { DueDelivery, SettledAttempt } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { retryInMs } from './retry.schedule';
import type { WebhookOutcome } from './webhook-sender.port';

const passes = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** What becomes of a delivery after an attempt: a status of 2xx passes, anything else is tried again until the schedule ends. */
export function outcomeOf(
  { id, tries }: Pick<DueDelivery, 'id' | 'tries'>,
  at: Date,
  { status, ms, error, retryAfterMs }: WebhookOutcome,
): SettledAttempt {
  const attempt = { at: at.toISOString(), status, ms: Math.round(ms), error };
  if (passes(status)) return { id, state: 'delivered', againMs: null, attempt };
  const againMs = retryInMs(tries + 1, retryAfterMs);
  return { id, state: againMs === null ? 'failed' : 'pending', againMs, attempt };
}
