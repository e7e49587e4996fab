/**
 * How long due work waits, in milliseconds: the product's own times, all in this file, read anew at each use. A test
 * that must see a lease run out may shorten them in the process that it starts.
 */
export const WORK_TIMES = {
  /** Of a claimed row. What a killed process had in its hands is another one's after so long. */
  leaseMs: 10_000,
  /** Between two sweeps for what nobody was told of. */
  sweepMs: 1_000,
  /** A reply is due at a time and not when somebody notifies: this is how late it may begin. */
  replySweepMs: 200,
  /** A webhook's body may take seconds: its lease is longer, and renewed three times in that time. */
  webhookLeaseMs: 15_000,
  /** Between two rounds of deleting what is past its time. */
  retentionMs: 5 * 60_000,
};
