/** For columns with the time at which their row was written: the moment, not the beginning of the transaction. */
export const CLOCK = (): string => 'clock_timestamp()';
