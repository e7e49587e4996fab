import { formatThreadId, NIL_ID } from '@app/contracts/uuid.format';
import { isoOrNull } from '@app/contracts/values/iso-time';
import type { DisabledReason, DeliveryAttempt, DeliveryState } from '@app/contracts/webhook.words';
import type { Changed } from '@app/persistence/audit/audit.repository';
import type { DeliveryRow } from '@app/persistence/webhooks-out/delivery-list.repository';
import type {
  AuditedEndpoint,
  EndpointRow,
  ListedEndpoint,
} from '@app/persistence/webhooks-out/webhook-endpoint.repository';
import type { AuditedAct } from '../../audit/audit.service';
import { differencesOf, type AuditedThing } from '../../audit/audited-thing';

/** An endpoint as admins see it. Its secret is never shown again. */
export interface Endpoint {
  id: string;
  account_id: string;
  url: string;
  events: string[];
  /** Null: all agents, and what is about none. */
  assistant_ids: string[] | null;
  /** Null: as many as there are. */
  max_per_second: number | null;
  description: string;
  disabled: boolean;
  disabled_reason: DisabledReason | null;
  disabled_at: string | null;
  /** Attempts that failed in a row; 0 while it is disabled. */
  failures_in_a_row: number;
  /** When the newest of its delivered events was delivered; null: none of the last thirty days was. */
  last_success_at: string | null;
  /** Deliveries that are to be sent, up to 1,000. */
  pending: number;
  created_at: string;
}

/** The settings as they are shown and audited. */
function presentSettings(row: EndpointRow) {
  const { id, account_id, url, events, assistant_ids, max_per_second, description, disabled_reason } = row;
  return {
    ...{ id, account_id, url, events, assistant_ids, max_per_second, description },
    ...{ disabled: row.disabled_at !== null, disabled_reason, disabled_at: isoOrNull(row.disabled_at) },
  };
}

export const presentEndpoint = (row: ListedEndpoint): Endpoint => ({
  ...presentSettings(row),
  failures_in_a_row: row.failures ?? 0,
  last_success_at: row.newest_success,
  pending: row.disabled_at === null ? row.pending : 0,
  created_at: row.created_at.toISOString(),
});

type EndpointSubject = Pick<EndpointRow, 'account_id' | 'id' | 'url'>;

/** People know an endpoint by its address. */
export const ofEndpoint = ({
  account_id: accountId,
  id,
  url: name,
}: EndpointSubject): AuditedAct['subject'] => ({
  type: 'webhook_endpoint',
  ...{ accountId, id, name },
});

export const ofDelivery = ({
  account_id: accountId,
  id,
  type: name,
}: DeliveryRow): AuditedAct['subject'] => ({
  type: 'webhook_delivery',
  ...{ accountId, id, name },
});

/** As admins see it; of the secret only that it is another. */
type ShownEndpoint = ReturnType<typeof presentSettings> & Pick<AuditedEndpoint, 'secret'>;

const SHOWN_ENDPOINT: AuditedThing<ShownEndpoint> = {
  type: 'webhook_endpoint',
  subjectOf: ofEndpoint,
  shown: ['url', 'events', 'assistant_ids', 'max_per_second', 'description', 'disabled', 'disabled_reason'],
  secret: ['secret'],
};

const shown = (row: AuditedEndpoint): ShownEndpoint => ({ ...presentSettings(row), secret: row.secret });

/** What differs of an endpoint; null: nothing. */
export function endpointAct({ before, after }: Changed<AuditedEndpoint>): AuditedAct | null {
  const row = after ?? before;
  const change = { before: before && shown(before), after: after && shown(after) };
  const differences = differencesOf(SHOWN_ENDPOINT, change);
  return row && differences && { subject: ofEndpoint(row), ...differences };
}

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
