/** The result of a read of the log: see FeedRepository. */
interface SeenLook {
  xmin: bigint;
  seqs: readonly number[];
}

/** Most missing numbers that are tracked one by one. Only a rolled back bulk load leaves a larger gap. */
export const GAPS_MAX = 100_000;

/**
 * Tracks which numbers of the event log are still missing. Numbers are assigned before a commit and become visible in
 * any order. So a missing number below the newest one may still appear, or never, if its transaction rolled back.
 *
 * A number is dead when a read does not find it although every transaction that could hold it was over at the read's
 * snapshot. The bound that proves this is a transaction id requested *after* the number was first missed. The xmax of
 * the first read looks like the same bound but is not: a running transaction can be above it.
 */
export class EventGaps {
  private readonly bounds = new Map<number, bigint | null>();

  constructor(
    private head: number,
    gaps: readonly number[] = [],
  ) {
    for (const gap of gaps) this.bounds.set(gap, null);
  }

  /** Highest number seen. */
  get newest(): number {
    return this.head;
  }

  get open(): number[] {
    return [...this.bounds.keys()];
  }

  /** Whether a number has not been seen and may still become visible. */
  awaits(seq: number): boolean {
    return seq > this.head || this.bounds.has(seq);
  }

  /** Every number up to this one has been seen or is dead. */
  get mark(): number {
    let lowest = this.head + 1;
    for (const gap of this.bounds.keys()) if (gap < lowest) lowest = gap;
    return lowest - 1;
  }

  get needBound(): boolean {
    for (const bound of this.bounds.values()) if (bound === null) return true;
    return false;
  }

  /**
   * Applies a read of the log. The read must have asked for all numbers above {@link newest} and for all {@link open}
   * ones. Of a gap of more than {@link GAPS_MAX} numbers only the last ones are tracked, together with those tracked
   * before.
   * @returns how many numbers are given up although they are not proved dead
   */
  see({ xmin, seqs }: SeenLook): number {
    for (const seq of seqs) this.bounds.delete(seq);
    for (const [gap, bound] of this.bounds) {
      if (bound !== null && xmin >= bound) this.bounds.delete(gap);
    }
    const floor = (seqs.at(-1) ?? this.head) - GAPS_MAX;
    let passedOver = 0;
    for (const seq of seqs) {
      if (seq <= this.head) continue;
      const lowest = Math.max(this.head + 1, Math.min(floor, seq));
      passedOver += lowest - this.head - 1;
      for (let gap = lowest; gap < seq; gap++) this.bounds.set(gap, null);
      this.head = seq;
    }
    return passedOver + this.forgetOldest();
  }

  /**
   * Takes in one number without a look, that of an event that is known to be committed: only the next one, and only where
   * no lower one is missing, so that nothing is passed over.
   * @returns whether it was taken
   */
  follow(seq: number): boolean {
    if (this.bounds.size > 0 || seq !== this.head + 1) return false;
    this.head = seq;
    return true;
  }

  /** While an old transaction keeps numbers from being proved dead, their number may grow. */
  private forgetOldest(): number {
    const tooMany = this.bounds.size - 2 * GAPS_MAX;
    if (tooMany <= 0) return 0;
    for (const gap of [...this.bounds.keys()].slice(0, tooMany)) this.bounds.delete(gap);
    return tooMany;
  }

  /** Gives the gaps without a bound a transaction id that was requested after the read that found them. */
  bind(transactionId: bigint): void {
    for (const [gap, bound] of this.bounds) if (bound === null) this.bounds.set(gap, transactionId);
  }
}
