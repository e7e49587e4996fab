import type { DisabledReason } from '@app/contracts/webhook.words';
import { isoOrNull } from '@app/contracts/values/iso-time';
import type { EndpointRow, ListedEndpoint } from '@app/persistence/webhooks-out/webhook-endpoint.repository';

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
export function presentSettings(row: EndpointRow) {
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
