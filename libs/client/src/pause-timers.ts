const RETRY_MS = 1_000;

/** What is to be done later, unless all is over before. */
export class PauseTimers {
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();

  after(ms: number, act: () => unknown): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, ms);
    this.timers.add(timer);
  }

  /** After a second or two: many clients should not come back at one instant. */
  soon(act: () => unknown, ms = RETRY_MS): void {
    this.after(ms + RETRY_MS * Math.random(), act);
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
