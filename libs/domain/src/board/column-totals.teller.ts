import { Logger } from '@nestjs/common';
import type { LeadCounts } from './column-totals.cache';

const TELL_EVERY_MS = 500;

/** Sends an open board the totals of columns that gained or lost leads, at most twice a second. */
export class ColumnTotalsTeller {
  private readonly logger = new Logger(ColumnTotalsTeller.name);
  private readonly changed = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private toldAt = -Infinity;
  private stopped = false;

  /**
   * @param counts returns the present totals
   * @param tell sends a column's key and its total
   */
  constructor(
    private readonly counts: () => Promise<LeadCounts>,
    private readonly tell: (column: string, total: number) => void,
  ) {}

  /** Also for a change that was counted already: the board may have the total from before. */
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

  /** Never throws: nobody awaits it, so an error would end the process. */
  private tellAll(columns: readonly string[], counts: LeadCounts): void {
    try {
      for (const column of columns) this.tell(column, counts.get(column) ?? 0);
    } catch (error) {
      this.logger.error({ err: error }, 'A board could not take its totals.');
    }
  }

  /** The next try sends what could not be counted. */
  private async tellChanged(): Promise<void> {
    this.toldAt = performance.now();
    const columns = [...this.changed];
    this.changed.clear();
    const counts = await this.counts().catch(() => null);
    this.timer = null;
    if (this.stopped) return;
    if (counts) this.tellAll(columns, counts);
    // Including those that changed meanwhile.
    this.columnsChanged(counts ? [] : columns);
  }
}
