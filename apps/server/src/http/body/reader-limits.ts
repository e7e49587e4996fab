import { processLimits } from '@app/config/process-limits';

/** For those who read answers of any length, each of which holds connections of ours meanwhile. */
export const READER_LIMITS = processLimits('readers', {
  /** A reader that takes nothing for so long is given up. */
  silenceMs: 60_000,
  /** So is one that is slower in all, beside that time. 100 MiB take 54 minutes then. */
  bytesPerSecondMin: 32 * 1024,
});
