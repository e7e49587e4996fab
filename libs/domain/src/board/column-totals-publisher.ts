import { Logger } from '@nestjs/common';
import type { LeadCounts } from './column-totals-cache';

/** From one to the next as they arrive: more than half a second, for the way there takes not always as long. */
const PUBLISH_EVERY_MS = 550;
/** Counting takes a third of the time at most. Only counts with a filter take long: the others are kept. */
const PAUSE_TIMES_COUNTING = 2;

/** Sends an open board the totals of columns that gained or lost leads, at most twice a second. */
export class ColumnTotalsPublisher {
  private readonly logger = new Logger(ColumnTotalsPublisher.name);
  private readonly changed = new Set<string>();
  /** What every client of the view was told of a column. */
  private readonly told = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private nextAt = -Infinity;
  private stopped = false;

  /**
   * @param counts returns the present totals
   * @param publish sends a column's key and its total
   */
  constructor(
    private readonly counts: () => Promise<LeadCounts>,
    private readonly publish: (column: string, total: number) => void,
  ) {}

  /** Also for a change that was counted already: the board may have the total from before. */
  columnsChanged(columns: Iterable<string>): void {
    for (const column of columns) this.changed.add(column);
    if (this.timer || this.stopped || this.changed.size === 0) return;
    const wait = Math.max(0, this.nextAt - performance.now());
    this.timer = setTimeout(() => void this.publishChanged(), wait);
  }

  /** A client may have other totals than the others. The next of each column are sent, though they be the same. */
  forgetTold(): void {
    this.told.clear();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** Never throws: nobody awaits it, so an error would end the process. */
  private publishAll(columns: readonly string[], counts: LeadCounts): void {
    try {
      for (const column of columns) {
        const total = counts.get(column) ?? 0;
        if (this.told.get(column) === total) continue;
        this.publish(column, total);
        this.told.set(column, total);
      }
    } catch (error) {
      this.logger.error({ err: error }, 'A board could not take its totals.');
    }
  }

  /** The next try sends what could not be counted. */
  private async publishChanged(): Promise<void> {
    const began = performance.now();
    const columns = [...this.changed];
    this.changed.clear();
    const counts = await this.counts().catch(() => null);
    this.timer = null;
    const ended = performance.now();
    this.nextAt = ended + Math.max(PUBLISH_EVERY_MS, PAUSE_TIMES_COUNTING * (ended - began));
    if (this.stopped) return;
    if (counts) this.publishAll(columns, counts);
    // Including those that changed meanwhile.
    this.columnsChanged(counts ? [] : columns);
  }
}
