const MINUTE_MS = 60_000;
/** Callers that are told apart within a minute. In a flood from more, the others are not kept. */
const CALLERS_MAX = 10_000;

/** Bounds how many refusals are kept in a minute of callers whose calls no rate limit counts, in this process. */
export class RefusalLimit {
  private counts = new Map<string, number>();
  private total = 0;
  private endsAt = 0;

  /**
   * @param ofEach of one caller in a minute
   * @param ofAll of all callers together
   */
  constructor(
    private readonly ofEach: number,
    private readonly ofAll = Infinity,
  ) {}

  /** Whether this one may be kept. */
  allows(caller: string): boolean {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.counts = new Map();
      this.total = 0;
      this.endsAt = now + MINUTE_MS;
    }
    const count = this.counts.get(caller) ?? 0;
    if (count >= this.ofEach || this.total >= this.ofAll) return false;
    if (count === 0 && this.counts.size >= CALLERS_MAX) return false;
    this.counts.set(caller, count + 1);
    this.total += 1;
    return true;
  }
}
