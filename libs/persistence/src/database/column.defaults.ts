/** For columns that keep when their row was written: the moment itself, not the beginning of the transaction. */
export const CLOCK = (): string => 'clock_timestamp()';
