/** When something arrived here, by the database's clock. All processes order two arrivals the same way. */
export interface Arrival {
  /** Of the webhook: a time as text with its microseconds and its zone. */
  receivedAt: string;
  /** Among the items of that webhook, from 0. */
  position: number;
}

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
