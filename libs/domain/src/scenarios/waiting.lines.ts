/** So many lines are kept before those are forgotten in which nobody waits any more. */
const LINES_KEPT = 1_000;

/**
 * Lines of runs that come too early. Each is put off by as much more as those before it need, so that thousands of them
 * do not all come back at the same moment.
 */
export class WaitingLines {
  private readonly ends = new Map<string, number>();

  /**
   * Goes to the end of a line.
   * @param freeInMs when the first of the line may go on
   * @param perSecond how many may go on a second
   * @returns milliseconds to wait
   */
  join(line: string, freeInMs: number, perSecond: number): number {
    const now = performance.now();
    if (this.ends.size >= LINES_KEPT) this.forgetUntil(now);
    const at = Math.max(now + freeInMs, this.ends.get(line) ?? 0);
    this.ends.set(line, at + 1_000 / perSecond);
    return at - now;
  }

  /** Milliseconds to wait for who would go to the end of a line now. */
  waitMs(line: string): number {
    return Math.max(0, (this.ends.get(line) ?? 0) - performance.now());
  }

  private forgetUntil(now: number): void {
    for (const [line, end] of this.ends) if (end < now) this.ends.delete(line);
  }
}
