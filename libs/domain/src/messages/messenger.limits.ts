/** Past the provider's own time limit a claim is nobody's any more: what became of it is then unknown. */
const GRACE_MS = 5_000;

/** A request begins within this time of its claim, or not at all: its time limit then ends before the claim does. */
export const BEGIN_WITHIN_MS = GRACE_MS - 500;

/** Time limits of requests to providers. */
export class MessengerLimits {
  constructor(readonly timeoutMs: number) {}

  /** How long one request may be under way before any process may call its outcome unknown. */
  get claimMs(): number {
    return this.timeoutMs + GRACE_MS;
  }
}
