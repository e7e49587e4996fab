/** When something arrived here, by the database's clock: of two, the later one is the later one everywhere. */
export interface Arrival {
  /** Of the webhook: the text of a time with its microseconds and its zone. */
  receivedAt: string;
  /** Among the items of that webhook, from 0. */
  place: number;
}

/**
 * The time of an {@link Arrival} as SQL: items of one webhook are a microsecond apart, so that they keep their order.
 * @param receivedAt and place: parameters; null: null
 */
export const arrivalTime = (receivedAt: string, place: string): string =>
  `${receivedAt}::timestamptz + ${place}::int * interval '1 microsecond'`;

/**
 * Whether a customer's wish is younger than the last one of the dialog `t`: by the time it was written, in the whole
 * seconds that Meta tells, then by its arrival. Among wishes of one time the first stands.
 */
export const isYoungerWish = (t: string, writtenAt: string, arrivedAt: string): string =>
  `coalesce((date_trunc('second', ${writtenAt}), ${arrivedAt}) > (date_trunc('second', ${t}.wished_at), ${t}.wish_arrived_at), true)`;
