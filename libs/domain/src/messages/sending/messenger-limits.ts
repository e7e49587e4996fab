import { WORK_TIMES } from '../../work/work-times';

/** Time limits of requests to providers. */
export class MessengerLimits {
  constructor(readonly timeoutMs: number) {}

  /** How long one request may take before any process may call its outcome unknown. */
  get claimMs(): number {
    return this.timeoutMs + WORK_TIMES.claimGraceMs;
  }
}
