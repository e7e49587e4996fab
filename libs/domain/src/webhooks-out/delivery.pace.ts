/** So much of a second may be made up for after a pause. */
const BURST_MS = 100;

/** Keeps the requests of one endpoint to so many a second. Only one process at a time sends to it. */
export class DeliveryPace {
  /** When the next request may begin, by the monotonic clock. */
  private nextAt = -Infinity;
  private spaceMs = 0;

  /** How many may begin now. @param maxPerSecond null: any number */
  room(maxPerSecond: number | null): number {
    this.spaceMs = maxPerSecond === null ? 0 : 1_000 / maxPerSecond;
    if (maxPerSecond === null) return Infinity;
    const sinceMs = performance.now() - Math.max(this.nextAt, performance.now() - BURST_MS);
    return sinceMs < 0 ? 0 : 1 + Math.floor(sinceMs / this.spaceMs);
  }

  /** How long none may begin, in milliseconds. */
  waitMs(maxPerSecond: number | null): number {
    return maxPerSecond === null ? 0 : Math.max(0, this.nextAt - performance.now());
  }

  /** One begins. */
  take(): void {
    this.nextAt = Math.max(this.nextAt, performance.now() - BURST_MS) + this.spaceMs;
  }
}
