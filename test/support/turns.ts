/** Tests that run side by side (`it.concurrent`) but share something: each waits for the ones before it. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Does this when all that came before is over, however it ended. */
  take(act: () => Promise<void>): Promise<void> {
    const turn = this.last.then(act);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
