/** For columns with the time at which their row was written: the moment, not the beginning of the transaction. */
export const CLOCK = (): string => 'clock_timestamp()';

/** For `bigint` columns whose values are below 2^53: a number, where the driver gives text. */
export const NUMBER = {
  to: (value: number | null): number | null => value,
  from: (value: string | null): number | null => (value === null ? null : Number(value)),
};
