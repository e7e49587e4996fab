/** How many of a kind may run at once in this process. */
export class JobPlaces {
  private readonly running = new Set<Promise<void>>();
  private waiting: (() => void)[] = [];

  constructor(private readonly places: number) {}

  /** Resolves as soon as one is free. */
  async free(): Promise<void> {
    while (this.running.size >= this.places) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** Takes a place until the work is over; the work does not fail. */
  take(work: Promise<void>): void {
    const held = work.finally(() => {
      this.running.delete(held);
      const woken = this.waiting;
      this.waiting = [];
      for (const wake of woken) wake();
    });
    this.running.add(held);
  }

  /** Resolves when nothing runs. */
  async empty(): Promise<void> {
    await Promise.all(this.running);
  }
}
