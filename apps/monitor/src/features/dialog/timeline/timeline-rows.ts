import type { HistoryEntryAnswer } from '@app/client/api-types';
import type { ListedMessage, MessageRow } from '@app/client/message.store';
import { NOTE, QUIET_TYPES } from '@app/contracts/message.words';

/** A message that the service has, under the key that its line keeps. */
export type SaidRow = MessageRow & { message: ListedMessage };

/** A line of the dialog: a day, what was said, what happened, or where the unread messages begin. */
export type TimelineRow =
  | { key: string; kind: 'day'; at: string }
  | { key: string; kind: 'unread' }
  | { key: string; kind: 'message'; message: ListedMessage }
  | { key: string; kind: 'history'; entry: HistoryEntryAnswer };

interface TimelineParts {
  /** By time. */
  messages: readonly SaidRow[];
  /** By time. */
  history: readonly HistoryEntryAnswer[];
  /** There are older messages than these: what happened before them is shown with them. */
  hasOlder: boolean;
  /** There are newer messages than these. */
  hasNewer: boolean;
  /** The key of the message above which the unread ones begin. */
  firstUnread: string | null;
}

/** Weaves what was said and what happened together by time, with a mark for each day. @param dayOf tells days apart */
export function timelineRows(parts: TimelineParts, dayOf: (at: string) => string): TimelineRow[] {
  const { messages, history, firstUnread } = parts;
  const rows: TimelineRow[] = [];
  let day = '';
  const place = (at: string, row: TimelineRow): void => {
    const key = dayOf(at);
    if (key !== day) rows.push({ key: `day-${key}`, kind: 'day', at });
    day = key;
    if (row.kind === 'message' && row.key === firstUnread) rows.push({ key: 'unread', kind: 'unread' });
    rows.push(row);
  };
  const entries = history.filter(({ at }) => isCovered(at, parts));
  let next = 0;
  for (const { key, message } of messages) {
    for (let entry = entries[next]; entry && entry.at < message.created_at; entry = entries[(next += 1)])
      place(entry.at, { key: `history-${entry.seq}`, kind: 'history', entry });
    place(message.created_at, { key, kind: 'message', message });
  }
  for (const entry of entries.slice(next))
    place(entry.at, { key: `history-${entry.seq}`, kind: 'history', entry });
  return rows;
}

/** Whether the messages of that time are here. */
function isCovered(at: string, { messages, hasOlder, hasNewer }: TimelineParts): boolean {
  const [oldest, newest] = [messages[0]?.message.created_at, messages.at(-1)?.message.created_at];
  return !(hasOlder && oldest && at < oldest) && !(hasNewer && newest && at > newest);
}

const QUIET: ReadonlySet<string> = new Set([...QUIET_TYPES, NOTE]);

/**
 * The first of the messages that no person has read: counted from the end, over those of the customer that count. Null:
 * there is none, or it is among older messages than these.
 */
export function firstUnreadKey(
  messages: readonly SaidRow[],
  unread: number,
  hasOlder: boolean,
): string | null {
  if (unread <= 0) return null;
  const counting = messages.filter(({ message: { role, type } }) => role === 'USER' && !QUIET.has(type));
  return counting.at(-unread)?.key ?? (hasOlder ? null : (counting[0]?.key ?? null));
}
