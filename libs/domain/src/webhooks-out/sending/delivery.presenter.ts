import { isoOrNull } from '@app/contracts/values/iso-time';
import { formatThreadId, NIL_ID } from '@app/contracts/uuid.format';
import type { DeliveryAttempt, DeliveryState } from '@app/contracts/webhook.words';
import type { DeliveryRow } from '@app/persistence/webhooks-out/delivery-list.repository';

/** A delivery as admins see it, without what it says. */
export interface Delivery {
  id: string;
  endpoint_id: string;
  /** Its `webhook-id`. */
  event_id: string;
  type: string;
  /** Null: it is about no dialog. */
  thread_id: string | null;
  state: DeliveryState;
  /** In order; the last 50 at most. */
  attempts: DeliveryAttempt[];
  /** When it is to be sent; null: not any more. */
  next_at: string | null;
  replayed: boolean;
  created_at: string;
}

export function presentDelivery(row: DeliveryRow): Delivery {
  const { id, endpoint_id, event_id, type, thread_id, state, attempts, replayed } = row;
  return {
    ...{ id, endpoint_id, event_id, type },
    thread_id: thread_id === NIL_ID ? null : formatThreadId(thread_id),
    state,
    attempts: attempts.map((attempt) => ({ ...attempt, reason: attempt.reason ?? null })),
    ...{ next_at: isoOrNull(row.due_at), replayed },
    created_at: row.created_at.toISOString(),
  };
}
