import { BoardRepository } from '@app/persistence/board/board.repository';
import type { FeedEventRow } from '@app/persistence/board/feed.repository';
import { Injectable } from '@nestjs/common';
import { boardKey, type BoardAddress } from './board.address';

export interface ColumnTotals {
  /** Every event up to this number is in the totals … */
  seq: number;
  /** … and these above it. Not the highest number that was visible: a lower one may have been committed later. */
  counted: Set<number>;
  /** Leads per stage id; the empty key is no stage. */
  counts: Map<string, number>;
}

interface Entry {
  countedAt: number;
  totals: Promise<ColumnTotals>;
}

const COUNT_EVERY_MS = 1_000;
export const columnKey = (statusId: string | boolean | null): string =>
  typeof statusId === 'string' ? statusId : '';

/**
 * Leads per stage of an agent: counted at most once a second, in between moved on by the feed. Kept only while the
 * agent is watched: an opening whose board was left meanwhile still counts, and nobody would move its totals on.
 */
@Injectable()
export class ColumnTotalsCache {
  private readonly watched = new Set<string>();
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly board: BoardRepository) {}

  /** @param mark the feed's: everything up to it is committed and seen */
  async get(address: BoardAddress, mark: number): Promise<ColumnTotals> {
    const key = boardKey(address);
    const known = this.entries.get(key);
    if (known && performance.now() - known.countedAt < COUNT_EVERY_MS) return known.totals;
    const totals = this.count(address, mark);
    if (!this.watched.has(key)) return totals;
    const entry = { countedAt: performance.now(), totals };
    this.entries.set(key, entry);
    totals.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    return totals;
  }

  /** Moves a lead from column to column, or puts a new one where it begins, unless the count already has the event. */
  async follow(event: FeedEventRow): Promise<void> {
    if (event.type !== 'status' && event.type !== 'opened') return;
    const key = boardKey({ accountId: event.account_id, assistantId: event.assistant_id });
    const entry = this.entries.get(key);
    // Nobody will be given it any more; following on would only keep every number for ever.
    if (entry && performance.now() - entry.countedAt >= COUNT_EVERY_MS) {
      this.entries.delete(key);
      return;
    }
    const totals = await entry?.totals.catch(() => null);
    if (!totals || event.seq <= totals.seq || totals.counted.has(event.seq)) return;
    const add = (key: string, by: number) =>
      totals.counts.set(key, Math.max(0, (totals.counts.get(key) ?? 0) + by));
    if (event.type === 'status') add(columnKey(event.from_value), -1);
    // A dialog is opened at no stage, which is what the event's missing `to` says.
    add(columnKey(event.to_value), 1);
    totals.counted.add(event.seq);
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

  private async count({ accountId, assistantId }: BoardAddress, mark: number): Promise<ColumnTotals> {
    const rows = await this.board.countByStatus(accountId, assistantId, mark);
    return {
      seq: mark,
      counted: new Set(rows[0]?.counted),
      counts: new Map(rows.map((row) => [columnKey(row.status_id), row.total ?? 0])),
    };
  }
}
