const A_MINUTE = 10;
const MINUTE_MS = 60_000;

/** Bounds how many refusals of one caller and operation are kept, so that a client in a loop does not fill the audit. */
export class RefusalLimit {
  private counts = new Map<string, number>();
  private endsAt = 0;

  /** Whether this one is kept: ten of each key in a minute. */
  allows(key: string): boolean {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.counts = new Map();
      this.endsAt = now + MINUTE_MS;
    }
    const count = this.counts.get(key) ?? 0;
    this.counts.set(key, count + 1);
    return count < A_MINUTE;
  }
}
