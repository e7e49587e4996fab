/** Of one caller and one operation. */
export const REFUSALS_A_MINUTE = 10;

const MINUTE_MS = 60_000;
/** Callers and operations that are told apart within a minute. In a flood from more, the others are not kept. */
const KEYS_MAX = 10_000;

/** Bounds how many refusals of one caller and operation are kept, so that a client in a loop does not fill the audit. */
export class RefusalLimit {
  private counts = new Map<string, number>();
  private endsAt = 0;

  /** Whether this one may be kept: ten of each key in a minute. */
  allows(key: string): boolean {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.counts = new Map();
      this.endsAt = now + MINUTE_MS;
    }
    const count = this.counts.get(key) ?? 0;
    if (count >= REFUSALS_A_MINUTE || (count === 0 && this.counts.size >= KEYS_MAX)) return false;
    this.counts.set(key, count + 1);
    return true;
  }
}
