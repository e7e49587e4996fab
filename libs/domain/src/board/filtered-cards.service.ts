import { createHash } from 'node:crypto';
import type { Card } from '@app/contracts/board-events';
import { canonicalJson } from '@app/contracts/json-object';
import { threadIdOrNothing } from '@app/contracts/uuid.format';
import type { ThreadFilter } from '@app/persistence/threads/thread-filter';
import { ThreadListRepository } from '@app/persistence/threads/thread-list.repository';
import { Injectable } from '@nestjs/common';
import { threadFilterOf, type AskedFilter } from '../threads/thread-filter.rules';
import type { BoardFilter, BoardView } from './board-address';
import { columnKey, type LeadCounts } from './column-totals';

/** A filter that nothing passes: a search without a word. */
const NOTHING: ThreadFilter = { among: [] };

/** A filter as boards share it: the case of ids, the order of stages and what is absent make no difference. */
export function boardFilterOf(accountId: string, asked: AskedFilter): BoardFilter {
  const threads = lowered(threadFilterOf(accountId, asked) ?? NOTHING);
  return { key: createHash('sha256').update(canonicalJson(threads)).digest('base64url'), threads };
}

function lowered({ statusIds, ...filter }: ThreadFilter): ThreadFilter {
  const low = (id: string | null): string | null => id && id.toLowerCase();
  const stages = statusIds && [...new Set(statusIds.map(low))].sort();
  return {
    ...filter,
    ...(stages && { statusIds: stages }),
    ...(filter.statusId && { statusId: filter.statusId.toLowerCase() }),
    ...(filter.assigneeId && { assigneeId: filter.assigneeId.toLowerCase() }),
    ...(filter.scenarioId && { scenarioId: filter.scenarioId.toLowerCase() }),
    ...(filter.botId && { botId: filter.botId.toLowerCase() }),
  };
}

/** The stage of a column; null: the column of leads without one. */
export interface ColumnStage {
  id: string | null;
  kind: string | null;
}

/** Whether leads of a column may pass a filter. */
export const letsIn = (
  { statusId, statusIds, statusKind }: Pick<ThreadFilter, 'statusId' | 'statusIds' | 'statusKind'>,
  { id, kind }: ColumnStage,
): boolean =>
  (statusId === undefined || statusId === id) &&
  (!statusIds || statusIds.includes(id)) &&
  (!statusKind || statusKind === kind);

/** What of a filter no card shows: words, and runs of scenarios. Null: cards show all of it. */
export function hiddenPartOf({ query, scenarioId, runState }: ThreadFilter): ThreadFilter | null {
  const hidden = { query, scenarioId, runState };
  return Object.values(hidden).some((part) => part !== undefined) ? hidden : null;
}

/** Whether it makes a difference to a filter that runs are held or go on. */
export const asksForHeldRuns = ({ runState }: ThreadFilter): boolean => runState !== undefined;

/** Whether a card passes what it shows of a filter, by the same rules as `FILTERED`. */
function passesShown(filter: ThreadFilter, card: Card): boolean {
  const { lead_status: status, attention, assignee } = card;
  const opened = Date.parse(card.created_at);
  const isAsked = (wanted: unknown, is: unknown): boolean => wanted === undefined || wanted === is;
  return (
    letsIn(filter, { id: status?.id ?? null, kind: status?.kind ?? null }) &&
    isAsked(filter.botId, card.bot_id) &&
    isAsked(filter.channel?.toUpperCase(), card.channel) &&
    isAsked(filter.messageHandler, card.message_handler) &&
    isAsked(filter.waiting, card.waiting) &&
    isAsked(filter.unread, card.unread_count > 0) &&
    isAsked(filter.optedOut, card.opted_out) &&
    isAsked(filter.assigneeId, assignee?.id ?? null) &&
    isAsked(
      filter.attention,
      typeof filter.attention === 'string' ? attention?.reason : attention !== null,
    ) &&
    (!filter.createdAfter || opened >= filter.createdAfter.getTime()) &&
    (!filter.createdBefore || opened < filter.createdBefore.getTime()) &&
    (!filter.activeAfter || Date.parse(card.updated_at) >= filter.activeAfter.getTime()) &&
    // Nothing else has it on a board.
    filter.among === undefined
  );
}

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
