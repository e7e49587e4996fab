/** A card that is shown elsewhere than the service has told, because a move by hand is not confirmed. */
interface Displaced {
  from: string;
  to: string;
  /** Columns whose total contains the move already. */
  counted: ReadonlySet<string>;
}

/** A move that is confirmed, and that the next total of the column contains. */
interface Confirmed {
  requestId: string;
  column: string;
  by: 1 | -1;
}

/**
 * How many leads the columns have: what the service has told, and the moves that it has not counted yet. Totals and cards
 * come separately, so one may come before or after the move that it counts.
 */
export class ColumnTotals {
  private readonly told = new Map<string, number>();
  private readonly displaced = new Map<string, Displaced>();
  private confirmed: Confirmed[] = [];

  of(column: string): number {
    return Math.max(0, (this.told.get(column) ?? 0) + this.shiftOf(column));
  }

  /** The column has this many now. */
  tell(column: string, total: number): void {
    const isWhatIsShown = total === this.of(column);
    this.told.set(column, total);
    this.confirmed = this.confirmed.filter((each) => each.column !== column);
    if (!isWhatIsShown) return;
    // The total has come before the event of the move.
    for (const [threadId, each] of this.displaced)
      if (each.from === column || each.to === column)
        this.displaced.set(threadId, { ...each, counted: new Set([...each.counted, column]) });
  }

  /** Everything was read anew. */
  tellAll(totals: Iterable<readonly [string, number]>): void {
    this.told.clear();
    this.confirmed = [];
    this.displaced.clear();
    for (const [column, total] of totals) this.told.set(column, total);
  }

  /** Where a card is by the service, and where it is shown; null: nowhere. */
  show(threadId: string, from: string | null, to: string | null): void {
    if (from === null || to === null || from === to) return void this.displaced.delete(threadId);
    const known = this.displaced.get(threadId);
    if (known?.from !== from || known.to !== to)
      this.displaced.set(threadId, { from, to, counted: known?.counted ?? new Set() });
  }

  /** The service has told of a move by hand. */
  confirm(threadId: string, requestId: string, from: string | null, to: string | null): void {
    if (from === to) return;
    const counted = this.displaced.get(threadId)?.counted ?? new Set();
    if (from !== null && !counted.has(from)) this.confirmed.push({ requestId, column: from, by: -1 });
    if (to !== null && !counted.has(to)) this.confirmed.push({ requestId, column: to, by: 1 });
  }

  /** So much time has passed that a total would have come if it differed from the one before. */
  forget(requestId: string): void {
    this.confirmed = this.confirmed.filter((each) => each.requestId !== requestId);
  }

  private shiftOf(column: string): number {
    let sum = 0;
    for (const each of this.confirmed) if (each.column === column) sum += each.by;
    for (const { from, to, counted } of this.displaced.values())
      if (!counted.has(column)) sum += (to === column ? 1 : 0) - (from === column ? 1 : 0);
    return sum;
  }
}
