import { createHash } from 'node:crypto';
import type { Card } from '@app/contracts/board-events';
import { canonicalJson } from '@app/contracts/json-object';
import type { ThreadFilter } from '@app/persistence/threads/thread-filter';
import { threadFilterOf, type AskedFilter } from '../threads/thread-filter.rules';
import type { BoardFilter } from './board-address';

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
export function passesShown(filter: ThreadFilter, card: Card): boolean {
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
