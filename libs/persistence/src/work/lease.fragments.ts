/** What holds for a lease, once: statements that claim, renew and find due work are composed of these. */

/** Whether a row is in nobody's hands: a lease that ran out is anybody's. */
export const leaseIsFree = (row: string): string =>
  `(${row}.lease_until IS NULL OR ${row}.lease_until < clock_timestamp())`;

/** Until when a lease holds that begins now. @param milliseconds a parameter */
export const leaseFor = (milliseconds: string): string =>
  `clock_timestamp() + make_interval(secs => ${milliseconds}::float8 / 1000)`;
