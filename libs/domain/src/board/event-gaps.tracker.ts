/** What a look at the log saw: see FeedRepository. */
interface SeenLook {
  xmin: bigint;
  seqs: readonly number[];
}

/** No more numbers than this are held open one by one: only a rolled back bulk load leaves so large a hole. */
export const GAPS_MAX = 100_000;

/**
 * Which numbers of the event log are still to come. Numbers are given before a commit and become visible in any
 * order, so a hole below the newest number may yet be filled, or never, when its transaction rolled back.
 *
 * A hole is dead once a look does not find it although every transaction that could hold it was over when the look's
 * snapshot was taken. The bound that proves it is a transaction id asked for *after* the hole was first seen. The
 * first look's own xmax looks like the same bound and is not: a running transaction can be above it.
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

  /** Everything up to here has been seen or is dead. */
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
   * Takes in a look; the look must have asked for all numbers above {@link newest} and for all {@link open} ones.
   * Of a hole of more than {@link GAPS_MAX} numbers the last ones are held open, beside what was open before.
   * @returns how many numbers are not waited for although nothing proves them dead
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

  /** While an old transaction keeps holes from being proved dead, there may come ever more of them. */
  private forgetOldest(): number {
    const tooMany = this.bounds.size - 2 * GAPS_MAX;
    if (tooMany <= 0) return 0;
    for (const gap of [...this.bounds.keys()].slice(0, tooMany)) this.bounds.delete(gap);
    return tooMany;
  }

  /** Binds the gaps that have no bound yet to a transaction id asked for after the look that found them. */
  bind(transactionId: bigint): void {
    for (const [gap, bound] of this.bounds) if (bound === null) this.bounds.set(gap, transactionId);
  }
}
