/**
 * Counts events within a time window: the count of the last whole window, or of the present one if that is higher.
 */
export class RecentCount {
  private beganAt = performance.now();
  private last = 0;
  private current = 0;

  constructor(private readonly windowMs: number) {}

  add(): void {
    this.moveOn();
    this.current += 1;
  }

  get value(): number {
    this.moveOn();
    return Math.max(this.last, this.current);
  }

  private moveOn(): void {
    const windows = Math.floor((performance.now() - this.beganAt) / this.windowMs);
    if (windows === 0) return;
    this.last = windows === 1 ? this.current : 0;
    this.current = 0;
    this.beganAt += windows * this.windowMs;
  }
}
