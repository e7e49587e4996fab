/** So much of a second may be made up for after a pause. */
const BURST_MS = 100;
const SECOND_MS = 1_000;

/** Keeps the requests of one endpoint to so many in any second, evenly. Only one process at a time sends to it. */
export class DeliveryPace {
  /** When the next request may begin, by the monotonic clock. */
  private nextAt = -Infinity;
  private spaceMs = 0;
  /** When those of the last second began. */
  private readonly begun: number[] = [];

  /** How many may begin now. @param maxPerSecond null: any number */
  room(maxPerSecond: number | null): number {
    this.spaceMs = maxPerSecond === null ? 0 : SECOND_MS / maxPerSecond;
    if (maxPerSecond === null) return Infinity;
    const now = performance.now();
    while ((this.begun[0] ?? Infinity) <= now - SECOND_MS) this.begun.shift();
    const sinceMs = now - Math.max(this.nextAt, now - BURST_MS);
    const even = sinceMs < 0 ? 0 : 1 + Math.floor(sinceMs / this.spaceMs);
    return Math.max(0, Math.min(even, maxPerSecond - this.begun.length));
  }

  /** How long none may begin, in milliseconds. */
  waitMs(maxPerSecond: number | null): number {
    if (maxPerSecond === null) return 0;
    const now = performance.now();
    const full = this.begun[this.begun.length - maxPerSecond];
    return Math.max(0, this.nextAt - now, full === undefined ? 0 : full + SECOND_MS - now);
  }

  /** One begins. */
  take(): void {
    if (this.spaceMs === 0) return;
    const now = performance.now();
    this.nextAt = Math.max(this.nextAt, now - BURST_MS) + this.spaceMs;
    this.begun.push(now);
  }
}
