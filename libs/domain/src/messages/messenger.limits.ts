/** Added to the provider's time limit. After this time any process may call the outcome of a claim unknown. */
const GRACE_MS = 5_000;

/** A request begins within this time of its claim, or not at all. Its time limit then ends before the claim does. */
export const BEGIN_WITHIN_MS = GRACE_MS - 500;

/** Time limits of requests to providers. */
export class MessengerLimits {
  constructor(readonly timeoutMs: number) {}

  /** How long one request may take before any process may call its outcome unknown. */
  get claimMs(): number {
    return this.timeoutMs + GRACE_MS;
  }
}
