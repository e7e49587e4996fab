import { processLimits } from '@app/config/process-limits';

/** The waiting times of due work. */
export const WORK_TIMES = processLimits('work', {
  /** The lease of a claimed row. After this time another process may take what a killed process held. */
  leaseMs: 10_000,
  /** Between two sweeps for items without a notification. */
  sweepMs: 1_000,
  /** How late a reply may begin. A reply becomes due at a time, and no notification announces it. */
  replySweepMs: 200,
  /** A webhook's body may take seconds, so its lease is longer and renewed three times within it. */
  webhookLeaseMs: 15_000,
  /** Added to the provider's time limit. After this time any process may call the outcome of a claimed message unknown. */
  claimGraceMs: 5_000,
  /** Between two looks for tables that have grown. */
  statisticsMs: 2_000,
  /** Between two sweeps for agents with events that figures do not contain. */
  figuresMs: 5_000,
  /** Between two rounds of deleting expired rows. */
  retentionMs: 5 * 60_000,
});

/** A request begins within this time of its claim, or not at all. Its time limit then ends before the claim does. */
export const BEGIN_WITHIN_MS = WORK_TIMES.claimGraceMs - 500;
