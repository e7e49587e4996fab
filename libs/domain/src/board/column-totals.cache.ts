import { BoardRepository } from '@app/persistence/board/board.repository';
import type { FeedEventRow } from '@app/persistence/board/feed.repository';
import { Injectable } from '@nestjs/common';
import { boardKey, type BoardAddress } from './board.address';

/** Leads per stage id; the empty key is no stage. */
export type LeadCounts = ReadonlyMap<string, number>;

interface CountedLeads {
  /** Every event up to this number is counted … */
  seq: number;
  /** … and these above it. Not the highest number that was visible: a lower one may have been committed later. */
  counted: Set<number>;
  counts: Map<string, number>;
}

interface Entry {
  countedAt: number;
  counting: Promise<CountedLeads>;
  /** Null while leads are being counted. */
  leads: CountedLeads | null;
  /** What happened meanwhile. */
  early: FeedEventRow[];
}

const COUNT_EVERY_MS = 1_000;
/** Numbers kept of what was counted ahead of the feed's mark before those below it are let go. */
const COUNTED_KEPT_MAX = 1_000;
export const columnKey = (statusId: string | boolean | null): string =>
  typeof statusId === 'string' ? statusId : '';

/**
 * Leads per stage of an agent: counted at most once a second, for boards that open, and moved on by the feed as long as
 * the agent is watched. An opening whose board was left meanwhile counts for itself: nobody would move its totals on.
 */
@Injectable()
export class ColumnTotalsCache {
  private readonly watched = new Set<string>();
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly board: BoardRepository) {}

  /**
   * As a board that opens is shown them.
   * @param mark the feed's: everything up to it is committed and seen
   */
  async get(address: BoardAddress, mark: number): Promise<LeadCounts> {
    const known = this.entries.get(boardKey(address));
    if (known && performance.now() - known.countedAt < COUNT_EVERY_MS) return (await known.counting).counts;
    return this.countAnew(address, mark);
  }

  /** As they stand, whenever they were counted. @param mark likewise */
  async current(address: BoardAddress, mark: number): Promise<LeadCounts> {
    const known = this.entries.get(boardKey(address));
    if (!known) return this.countAnew(address, mark);
    const leads = await known.counting;
    // What lies below the mark has been followed, and comes no more.
    if (leads.counted.size > COUNTED_KEPT_MAX && mark > leads.seq) {
      leads.seq = mark;
      for (const seq of leads.counted) if (seq <= mark) leads.counted.delete(seq);
    }
    return leads.counts;
  }

  /** Moves a lead from column to column, or puts a new one where it begins, unless the count already has the event. */
  follow(event: FeedEventRow): void {
    const key = boardKey({ accountId: event.account_id, assistantId: event.assistant_id });
    const entry = this.entries.get(key);
    if (!entry) return;
    if (entry.leads) moveOn(entry.leads, event);
    else entry.early.push(event);
  }

  /** Begins to keep an agent's totals: from now on each of its events is told to {@link follow}. */
  watch(address: BoardAddress): void {
    this.watched.add(boardKey(address));
  }

  /** Lets go of what was counted, on a log that has gone back since; the next one who asks counts anew. */
  drop(address: BoardAddress): void {
    this.entries.delete(boardKey(address));
  }

  /** Lets an agent's totals go when no board of this process shows it any more. */
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

function moveOn({ seq, counted, counts }: CountedLeads, event: FeedEventRow): void {
  if (event.seq <= seq || counted.has(event.seq)) return;
  const add = (key: string, by: number) => counts.set(key, Math.max(0, (counts.get(key) ?? 0) + by));
  if (event.type === 'status') add(columnKey(event.from_value), -1);
  // A dialog is opened at no stage, which is what the event's missing `to` says.
  add(columnKey(event.to_value), 1);
  counted.add(event.seq);
}
