interface Waiting<Call, Answer> {
  call: Call;
  /** A string from `keyOf`, or what equals nothing else. */
  key: unknown;
  since: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface BatchedAct<Call, Answer> {
  /** Answers the calls in their order; when it throws, all of them have failed. */
  act: (calls: readonly Call[]) => Promise<Answer[]>;
  /**
   * For calls that take locks: of those of one key one is under way at a time, so that what one key waits for holds
   * up no second statement.
   */
  keyOf?: (call: Call) => string;
}

/** Two statements on their way: while the database works on one, the answers of the other are read. */
const UNDER_WAY_MAX = 2;
const BATCH_MAX = 64;
/**
 * What has waited this long when a statement fails fails with it. To a database that is cut off without a word each
 * statement takes seconds to fail: the calls of a busy key, one behind the other, would wait for minutes.
 */
const PATIENCE_MS = 1_000;

/**
 * Puts calls that come together into one statement: those of one turn of the event loop, and under load those that
 * came while others were under way. A call that comes alone goes alone, at once.
 */
export class CallBatcher<Call, Answer> {
  private waiting: Waiting<Call, Answer>[] = [];
  private underWay = 0;
  private readonly keysUnderWay = new Set<unknown>();
  private scheduled = false;

  constructor(private readonly batched: BatchedAct<Call, Answer>) {}

  call(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const key = this.batched.keyOf?.(call) ?? Symbol();
      this.waiting.push({ call, key, since: performance.now(), resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.underWay >= UNDER_WAY_MAX) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      while (this.underWay < UNDER_WAY_MAX) {
        const batch = this.takeBatch();
        if (batch.length === 0) return;
        void this.run(batch);
      }
    });
  }

  private takeBatch(): Waiting<Call, Answer>[] {
    const batch = new Map<unknown, Waiting<Call, Answer>>();
    const rest: Waiting<Call, Answer>[] = [];
    for (const each of this.waiting) {
      const free = !batch.has(each.key) && !this.keysUnderWay.has(each.key);
      if (free && batch.size < BATCH_MAX) batch.set(each.key, each);
      else rest.push(each);
    }
    this.waiting = rest;
    return [...batch.values()];
  }

  private takeImpatient(): Waiting<Call, Answer>[] {
    const lost = performance.now() - PATIENCE_MS;
    const impatient = this.waiting.filter(({ since }) => since < lost);
    this.waiting = this.waiting.filter(({ since }) => since >= lost);
    return impatient;
  }

  private async run(batch: Waiting<Call, Answer>[]): Promise<void> {
    this.underWay += 1;
    for (const { key } of batch) this.keysUnderWay.add(key);
    try {
      const answers = await this.batched.act(batch.map(({ call }) => call));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of [...batch, ...this.takeImpatient()]) reject(error);
    } finally {
      this.underWay -= 1;
      for (const { key } of batch) this.keysUnderWay.delete(key);
      if (this.waiting.length > 0) this.schedule();
    }
  }
}
