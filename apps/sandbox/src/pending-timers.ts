/** Everything that is scheduled. Stopping cancels it all. */
export class PendingTimers {
  private readonly timers = new Set<NodeJS.Timeout>();
  private stopped = false;

  after(milliseconds: number, act: () => void): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, milliseconds);
    this.timers.add(timer);
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
