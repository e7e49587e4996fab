/** Reads that take a moment. Those who ask for the same thing meanwhile share the answer. */
export class SharedReads<Value> {
  private readonly underWay = new Map<string, Promise<Value>>();

  async get(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading = this.underWay.get(key) ?? read().finally(() => this.underWay.delete(key));
    this.underWay.set(key, reading);
    return reading;
  }
}
