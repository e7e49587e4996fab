/**
 * In one tick of the event loop. A thousand events at once, as a bulk of messages makes them, for many boards would
 * otherwise keep every call of the process waiting.
 */
const TURN_MS = 10;

/** Delivers in order, and for at most 10 ms in one tick of the event loop. */
export class PacedDeliveries {
  private readonly waiting: (() => void)[] = [];
  /** When this tick's first delivery began; null when there was none. */
  private turnBegan: number | null = null;
  private delivering = false;

  /** How many wait for a later tick. */
  get length(): number {
    return this.waiting.length;
  }

  /** Delivers at once where nothing waits and the tick has time left. @param deliver must not throw */
  add(deliver: () => void): void {
    this.waiting.push(deliver);
    this.run();
  }

  /** Resolves when all that was added before is delivered. */
  async reached(): Promise<void> {
    await new Promise<void>((resolve) => this.add(resolve));
  }

  private run(): void {
    if (this.delivering) return;
    this.delivering = true;
    const end = this.beginTurn() + TURN_MS;
    while (this.waiting.length > 0 && performance.now() < end) this.waiting.shift()?.();
    this.delivering = false;
  }

  private beginTurn(): number {
    if (this.turnBegan !== null) return this.turnBegan;
    setImmediate(() => {
      this.turnBegan = null;
      if (this.waiting.length > 0) this.run();
    });
    return (this.turnBegan = performance.now());
  }
}
