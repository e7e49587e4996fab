/** The rules of a lease, each once. Statements that claim, renew and find due work are composed of these. */

/** Whether a row may be claimed: it has no lease, or its lease ran out. */
export const leaseIsFree = (row: string): string =>
  `(${row}.lease_until IS NULL OR ${row}.lease_until < clock_timestamp())`;

/** The end of a lease that begins now. @param milliseconds a parameter */
export const leaseFor = (milliseconds: string): string =>
  `clock_timestamp() + make_interval(secs => ${milliseconds}::float8 / 1000)`;
