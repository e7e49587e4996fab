/**
 * The times of a claimed message, in milliseconds. They are read at each use, so a test may shorten them in the process
 * that it starts.
 */
export const CLAIM_TIMES = {
  /** Added to the provider's time limit. After this time any process may call the outcome of a claim unknown. */
  graceMs: 5_000,
};

/** A request begins within this time of its claim, or not at all. Its time limit then ends before the claim does. */
export const beginWithinMs = (): number => CLAIM_TIMES.graceMs - 500;

/** Time limits of requests to providers. */
export class MessengerLimits {
  constructor(readonly timeoutMs: number) {}

  /** How long one request may take before any process may call its outcome unknown. */
  get claimMs(): number {
    return this.timeoutMs + CLAIM_TIMES.graceMs;
  }
}
