/** Limits how many pieces of work run at once. Others wait in line. */
export class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** @returns undefined when no slot is free: then the work did not begin. */
  runIfFree<T>(work: () => Promise<T>): Promise<T> | undefined {
    return this.free > 0 ? this.run(work) : undefined;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
