/** What a look at the log saw: see FeedRepository. */
interface SeenLook {
  xmin: bigint;
  seqs: readonly number[];
}

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

  /** Takes in a look; the look must have asked for all numbers above {@link newest} and for all {@link open} ones. */
  see({ xmin, seqs }: SeenLook): void {
    for (const seq of seqs) this.bounds.delete(seq);
    for (const [gap, bound] of this.bounds) {
      if (bound !== null && xmin >= bound) this.bounds.delete(gap);
    }
    for (const seq of seqs) {
      if (seq <= this.head) continue;
      for (let gap = this.head + 1; gap < seq; gap++) this.bounds.set(gap, null);
      this.head = seq;
    }
  }

  /** Binds the gaps that have no bound yet to a transaction id asked for after the look that found them. */
  bind(transactionId: bigint): void {
    for (const [gap, bound] of this.bounds) if (bound === null) this.bounds.set(gap, transactionId);
  }
}
