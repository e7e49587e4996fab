/** Past the provider's own time limit a claim is nobody's any more: what became of it is then unknown. */
const GRACE_MS = 5_000;

/** Time limits of requests to providers. */
export class MessengerLimits {
  constructor(readonly timeoutMs: number) {}

  /** How long one request may be under way before any process may call its outcome unknown. */
  get claimMs(): number {
    return this.timeoutMs + GRACE_MS;
  }
}
