/** For tests that run side by side (`it.concurrent`) but share something: one at a time has it. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs this when all that came before is over, however it ended. */
  run(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}
