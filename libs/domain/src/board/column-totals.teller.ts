import type { LeadCounts } from './column-totals.cache';

const TELL_EVERY_MS = 500;

/** Tells an open board what its columns count: of those whose leads came or went, at most twice a second. */
export class ColumnTotalsTeller {
  private readonly changed = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private toldAt = -Infinity;
  private stopped = false;

  /**
   * @param counts the counts as they stand
   * @param tell a column's key and its total
   */
  constructor(
    private readonly counts: () => Promise<LeadCounts>,
    private readonly tell: (column: string, total: number) => void,
  ) {}

  /** Also of a change that was counted already: a board may have been told of the count before. */
  columnsChanged(columns: Iterable<string>): void {
    for (const column of columns) this.changed.add(column);
    if (this.timer || this.stopped || this.changed.size === 0) return;
    const wait = Math.max(0, this.toldAt + TELL_EVERY_MS - performance.now());
    this.timer = setTimeout(() => void this.tellChanged(), wait);
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** What could not be counted is told with the next try. */
  private async tellChanged(): Promise<void> {
    this.toldAt = performance.now();
    const columns = [...this.changed];
    this.changed.clear();
    const counts = await this.counts().catch(() => null);
    this.timer = null;
    if (this.stopped) return;
    if (counts) for (const column of columns) this.tell(column, counts.get(column) ?? 0);
    // Those that changed meanwhile, too.
    this.columnsChanged(counts ? [] : columns);
  }
}
