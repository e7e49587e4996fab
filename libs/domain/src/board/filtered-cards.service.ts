import type { Card } from '@app/contracts/board-events';
import { threadIdOrNothing } from '@app/contracts/uuid.format';
import { ThreadListRepository } from '@app/persistence/threads/thread-list.repository';
import { Injectable } from '@nestjs/common';
import type { BoardFilter, BoardView } from './board-address';
import { columnKey, type LeadCounts } from './column-totals-cache';
import { hiddenPartOf, passesShown } from './board-filter.rules';

/** A view with a filter. */
export type FilteredView = BoardView & { filter: BoardFilter };

export const isFiltered = (view: BoardView): view is FilteredView => view.filter !== null;

const nothing = (): void => undefined;

/** Which cards pass the filter of a view, and how many. */
@Injectable()
export class FilteredCards {
  /** The last count of each account, until it is over. */
  private readonly counting = new Map<string, Promise<unknown>>();

  constructor(private readonly threads: ThreadListRepository) {}

  /** Whether a card passes, as far as the card tells; null: the database knows. */
  decide({ filter: { threads } }: FilteredView, card: Card): boolean | null {
    if (!passesShown(threads, card)) return false;
    return hiddenPartOf(threads) ? null : true;
  }

  /** Whether each of these cards passes. What no card shows is read as it is now. */
  async passing(view: FilteredView, cards: readonly Card[]): Promise<boolean[]> {
    const decided = cards.map((card) => this.decide(view, card));
    const hidden = hiddenPartOf(view.filter.threads);
    const asked = cards
      .filter((_, index) => decided[index] === null)
      .map(({ thread_id }) => uuidOf(thread_id));
    if (!hidden || asked.length === 0) return decided.map((verdict) => verdict === true);
    const found = new Set(await this.threads.matching(visibilityOf(view), hidden, [...new Set(asked)]));
    return cards.map(({ thread_id }, index) => decided[index] ?? found.has(uuidOf(thread_id)));
  }

  /** How many leads of each stage pass. */
  async counts(view: FilteredView): Promise<LeadCounts> {
    const rows = await this.threads.totals(visibilityOf(view), view.filter.threads);
    return new Map(rows.map((row) => [columnKey(row.status_id), row.total]));
  }

  /** The same, when the account's other counts are over: however many filters it has, one at a time is counted anew. */
  async countsInTurn(view: FilteredView): Promise<LeadCounts> {
    const { accountId } = view;
    const before = this.counting.get(accountId) ?? Promise.resolve();
    const counting = before.then(nothing, nothing).then(() => this.counts(view));
    this.counting.set(accountId, counting);
    try {
      return await counting;
    } finally {
      if (this.counting.get(accountId) === counting) this.counting.delete(accountId);
    }
  }
}

const uuidOf = (threadId: string): string => threadIdOrNothing(threadId);

const visibilityOf = ({ accountId, assistantId }: BoardView) => ({ accountId, assistantIds: [assistantId] });
