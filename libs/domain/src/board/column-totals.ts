import { BoardRepository } from '@app/persistence/board/board.repository';
import type { FeedEvent } from '@app/persistence/board/feed.repository';
import { Injectable, Logger } from '@nestjs/common';
import { boardKey, type BoardAddress } from './board-address';

/** Leads per stage id; the empty key is no stage. */
export type LeadCounts = ReadonlyMap<string, number>;

interface CountedLeads {
  /** Every event up to this number is counted … */
  seq: number;
  /** … and these above it. The highest visible number would not do: a lower one may be committed later. */
  counted: Set<number>;
  counts: Map<string, number>;
}

interface Entry {
  countedAt: number;
  counting: Promise<CountedLeads>;
  /** Null while leads are being counted. */
  leads: CountedLeads | null;
  /** Events that came during the count. */
  early: FeedEvent[];
}

const COUNT_EVERY_MS = 1_000;
/** Most numbers kept that were counted ahead of the feed's mark. */
const COUNTED_EVENTS_MAX = 1_000;
export const columnKey = (statusId: string | boolean | null): string =>
  typeof statusId === 'string' ? statusId : '';

/**
 * Leads per stage of an agent. Opening boards count them, at most once a second, and the feed updates them while the
 * agent has open boards. A board that was closed while it opened counts for itself, because its totals would not be
 * updated.
 */
@Injectable()
export class ColumnTotalsCache {
  private readonly watched = new Set<string>();
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly board: BoardRepository) {}

  /**
   * The totals for a board that opens.
   * @param mark the feed's: everything up to it is committed and seen
   */
  async get(address: BoardAddress, mark: number): Promise<LeadCounts> {
    const known = this.entries.get(boardKey(address));
    if (known && performance.now() - known.countedAt < COUNT_EVERY_MS) return (await known.counting).counts;
    return this.countAnew(address, mark);
  }

  /** The present totals, whenever they were counted. @param mark the feed's */
  async current(address: BoardAddress, mark: number): Promise<LeadCounts> {
    const known = this.entries.get(boardKey(address));
    if (!known) return this.countAnew(address, mark);
    const leads = await known.counting;
    // Numbers below the mark are counted and do not come again.
    if (leads.counted.size > COUNTED_EVENTS_MAX && mark > leads.seq) {
      leads.seq = mark;
      for (const seq of leads.counted) if (seq <= mark) leads.counted.delete(seq);
    }
    return leads.counts;
  }

  /** Moves a lead from column to column, or adds a new one, unless the count already contains the event. */
  follow(event: FeedEvent): void {
    const key = boardKey({ accountId: event.account_id, assistantId: event.assistant_id });
    const entry = this.entries.get(key);
    if (!entry) return;
    if (entry.leads) moveOn(entry.leads, event);
    else entry.early.push(event);
  }

  /** Starts keeping an agent's totals. From now on each of its events must be given to {@link follow}. */
  watch(address: BoardAddress): void {
    this.watched.add(boardKey(address));
  }

  /** Forgets the counts after the log went back. The next caller counts again. */
  drop(address: BoardAddress): void {
    this.entries.delete(boardKey(address));
  }

  /** Forgets an agent's totals when this process has no open board of it. */
  forget(address: BoardAddress): void {
    this.watched.delete(boardKey(address));
    this.entries.delete(boardKey(address));
  }

  private async countAnew(address: BoardAddress, mark: number): Promise<LeadCounts> {
    const key = boardKey(address);
    const entry: Entry = {
      countedAt: performance.now(),
      counting: this.count(address, mark),
      leads: null,
      early: [],
    };
    entry.counting = entry.counting.then((leads) => {
      for (const event of entry.early.splice(0)) moveOn(leads, event);
      return (entry.leads = leads);
    });
    if (this.watched.has(key)) this.entries.set(key, entry);
    try {
      return (await entry.counting).counts;
    } catch (error) {
      if (this.entries.get(key) === entry) this.entries.delete(key);
      throw error;
    }
  }

  private async count({ accountId, assistantId }: BoardAddress, mark: number): Promise<CountedLeads> {
    const rows = await this.board.countByStatus(accountId, assistantId, mark);
    return {
      seq: mark,
      counted: new Set(rows[0]?.counted),
      counts: new Map(rows.map((row) => [columnKey(row.status_id), row.total ?? 0])),
    };
  }
}

function moveOn({ seq, counted, counts }: CountedLeads, event: FeedEvent): void {
  if (event.seq <= seq || counted.has(event.seq)) return;
  const add = (key: string, by: number) => counts.set(key, Math.max(0, (counts.get(key) ?? 0) + by));
  if (event.type === 'status') add(columnKey(event.from_value), -1);
  // A new dialog has no stage; its event has no `to`.
  add(columnKey(event.to_value), 1);
  counted.add(event.seq);
}

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
