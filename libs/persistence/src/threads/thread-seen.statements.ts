import { preciseTimeOf } from '../database/sql.statements';
import { isSaid, isToBeRead } from './message-kinds';
import { countsAsAnswer, isWaiting, waitingSince } from './thread.rules';

/**
 * How a dialog `h` was when the first page of a list was read, so that further pages go on in its order whatever moves.
 * Every fragment takes what that page saw of the database: the parameters `:snapshot` and `:seenAt`.
 */

const SEEN_AT = `(${preciseTimeOf(':seenAt')})`;

/** What is committed later than the first page saw may have a time from before it, but none that is older. */
export const SETTLED = `(${SEEN_AT} - interval '60 s')`;

/** The whole id of the transaction that wrote a row: of its 32 bits, and the first ones of a snapshot that is younger by less than 2^31. */
const writerOf = (row: string): string => `(
  SELECT (${row}.xmin::text::bigint + ((newest - ${row}.xmin::text::bigint + 2147483648) >> 32 << 32))::text::xid8
    FROM (SELECT pg_snapshot_xmax(:snapshot::pg_snapshot)::text::bigint AS newest) x)`;

/** Whether the first page could see this version of a row. */
const wasSeen = (row: string): string => `pg_visible_in_snapshot(${writerOf(row)}, :snapshot::pg_snapshot)`;

/** Whether the first page could see an entry of a log. */
const entryWasSeen = (row: string): string => `(${row}.at <= ${SETTLED} OR ${wasSeen(row)})`;

/** Types of the entries that come with a new `last_activity_at`. */
export const MOVING_TYPES = ['opened', 'status', 'message', 'ai', 'opt_out', 'name', 'assignee'] as const;

/**
 * Whether an entry came with a new `last_activity_at`. A takeover that runs out has none, which nobody ends; nor has a
 * dialog to which a person is asked.
 */
const moves = (
  row: string,
): string => `(${row}.type IN (${MOVING_TYPES.map((type) => `'${type}'`).join(', ')})
             OR ${row}.type = 'handler' AND (${row}.body ->> 'by' <> 'SYSTEM' OR ${row}.body ->> 'actor' IS NOT NULL) OR ${row}.type = 'attention' AND ${row}.body ->> 'to' IS NULL)`;

/** Dialogs that a process of a former version opened, or that were brought from elsewhere, may have no log. */
const HAS_LOG = `EXISTS (SELECT 1 FROM events o WHERE o.account_id = h.account_id AND o.thread_id = h.id AND o.type = 'opened')`;

const NEWEST_MESSAGE = `(SELECT m.created_at FROM messages m
             WHERE m.account_id = h.account_id AND m.thread_id = h.id AND m.created_at <= ${SEEN_AT}
             ORDER BY m.created_at DESC, m.id DESC LIMIT 1)`;

/**
 * The time by which a list by activity had it: of the last entry that the first page could see. One that was opened for
 * messages from before its number was connected has their time. Null: it was opened later.
 */
export const PLACE_BY_ACTIVITY = `coalesce(
        (SELECT CASE e.type WHEN 'opened' THEN coalesce(${NEWEST_MESSAGE}, e.at) ELSE e.at END FROM events e
          WHERE e.account_id = h.account_id AND e.thread_id = h.id AND ${moves('e')} AND ${entryWasSeen('e')}
          ORDER BY e.seq DESC LIMIT 1),
        CASE WHEN NOT ${HAS_LOG} THEN greatest(h.created_at, ${NEWEST_MESSAGE}) END)`;

/** Whether the first page could know a message. */
const wasKnown = (message: string): string => `(
             ${message}.id IN (SELECT (e.body ->> 'message_id')::uuid FROM events e
                                WHERE e.account_id = h.account_id AND e.thread_id = h.id AND e.type = 'message' AND ${entryWasSeen('e')})
             OR ${message}.created_at <= ${SETTLED} AND NOT ${HAS_LOG})`;

/** Whether a message of ours counted then. A report of its failure has the provider's time, so the log tells. */
const counted = (message: string): string => `(${countsAsAnswer(`${message}.status`)} OR EXISTS (
               SELECT 1 FROM events e WHERE e.account_id = h.account_id AND e.thread_id = h.id AND e.type = 'message_state'
                  AND e.body ->> 'message_id' = ${message}.id::text AND NOT ${countsAsAnswer(`(e.body ->> 'to')`)} AND NOT ${entryWasSeen('e')}))`;

/** Whether the dialog's row was changed since. */
export const HAS_CHANGED = `NOT ${wasSeen('h')}`;

/** Since when its customer waited, by the messages that the first page could know; null: nobody did. */
export const WAITED_BY_MESSAGES = `(
        SELECT coalesce(m.sent_at, m.created_at) FROM messages m
         WHERE m.account_id = h.account_id AND m.thread_id = h.id AND m.role = 'USER' AND ${isToBeRead('m')} AND ${wasKnown('m')}
           AND m.created_at > coalesce((
             SELECT a.created_at FROM messages a
              WHERE a.account_id = h.account_id AND a.thread_id = h.id AND a.role <> 'USER' AND ${isSaid('a')}
                AND ${counted('a')} AND ${wasKnown('a')}
              ORDER BY a.created_at DESC, a.id DESC LIMIT 1), '-infinity')
         ORDER BY m.created_at, m.id LIMIT 1)`;

/** The same, of any dialog: the row tells it where it has not changed. */
export const WAITED_SINCE = `CASE WHEN ${HAS_CHANGED} THEN ${WAITED_BY_MESSAGES}
             WHEN ${isWaiting('h')} THEN ${waitingSince('h')} END`;

/** Whether it was opened by then. */
export const WAS_THERE = `h.created_at <= ${SEEN_AT}`;
