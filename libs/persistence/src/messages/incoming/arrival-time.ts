/** When something arrived here, by the database's clock. All processes order two arrivals the same way. */
export interface Arrival {
  /** Of the webhook: a time as text with its microseconds and its zone. */
  receivedAt: string;
  /** Among the items of that webhook, from 0. */
  position: number;
  /** The id of that webhook. */
  webhook: string;
  /** By what it is held while it is taken in: the token of its lease, or the id of a reject that is taken in again. */
  heldBy: string;
}

/**
 * Whether a webhook is still held by whoever takes it in. Erasing a customer takes it away, so what came before opens no
 * dialog after: the statement that opens one asks for this. What sees the erased dialog's address free sees the hold gone.
 * @param lock reads the hold as it is now, where the statement may be older than what it decides by
 */
export const isHeld = (webhook: string, heldBy: string, lock: '' | 'FOR SHARE' = ''): string => `(
             EXISTS (SELECT 1 FROM (
               SELECT 1 FROM webhook_deliveries d WHERE d.id = ${webhook} AND d.lease_token = ${heldBy} ${lock}) held)
             OR EXISTS (SELECT 1 FROM (
               SELECT 1 FROM webhook_rejects r WHERE r.id = ${heldBy} AND r.delivery_id = ${webhook} ${lock}) held))`;

/**
 * The time of an {@link Arrival} as SQL. Items of one webhook are a microsecond apart, so that they keep their order.
 * @param receivedAt and position: parameters; null: null
 */
export const arrivalTime = (receivedAt: string, position: string): string =>
  `${receivedAt}::timestamptz + ${position}::int * interval '1 microsecond'`;

/**
 * Whether a customer's opt request is newer than the last one of the dialog `t`: by the time it was written, in
 * Meta's whole seconds, then by its arrival. Of requests with the same time the first counts.
 */
export const isNewerOptRequest = (t: string, writtenAt: string, arrivedAt: string): string =>
  `coalesce((date_trunc('second', ${writtenAt}), ${arrivedAt}) > (date_trunc('second', ${t}.opt_requested_at), ${t}.opt_request_arrived_at), true)`;
