/** Reads that take a moment. Those who ask for the same thing meanwhile share the answer. */
export class SharedReads<Value> {
  private readonly underWay = new Map<string, Promise<Value>>();

  /** An answer of null may be older than the question, so it is not taken from a read that was under way. */
  async get(key: string, read: () => Promise<Value>): Promise<Value> {
    const earlier = await this.underWay.get(key);
    return earlier ?? this.underWay.get(key) ?? this.begin(key, read);
  }

  private async begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading = read().finally(() => this.underWay.delete(key));
    this.underWay.set(key, reading);
    return reading;
  }
}
