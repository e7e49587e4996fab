interface Reading<T> {
  running: Promise<T>;
  next: Promise<T> | null;
}

/**
 * Lets callers that ask for the same thing at the same time share a read. No caller gets a read that began before its
 * call: while one runs, all later callers share the next.
 */
export class SharedReads<T> {
  private readonly readings = new Map<string, Reading<T>>();

  read(key: string, act: () => Promise<T>): Promise<T> {
    const reading = this.readings.get(key);
    if (!reading) return this.begin(key, act);
    const ended = reading.running.then(
      () => undefined,
      () => undefined,
    );
    return (reading.next ??= ended.then(() => this.begin(key, act)));
  }

  private begin(key: string, act: () => Promise<T>): Promise<T> {
    const running = act();
    const reading: Reading<T> = { running, next: null };
    this.readings.set(key, reading);
    const done = (): void => {
      if (reading.next === null && this.readings.get(key) === reading) this.readings.delete(key);
    };
    running.then(done, done);
    return running;
  }
}
