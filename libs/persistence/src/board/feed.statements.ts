import type { Prefixed } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { EventEntity } from '../events/event.entity';
import { OLDEST_XID } from '../events/event-number.statements';
import { MESSAGE_COLUMNS, NAMES_MESSAGE, type MessageValue } from '../messages/dialog/message-columns';
import { cardJson, type CardJson, type CardRow } from '../threads/card-columns';
import { waitingReason } from '../threads/thread.rules';
import type { ThreadEvent } from '../threads/thread-event';

/** Events that one look reads above the head at most. */
export const LOOK_LIMIT = 1000;
const START_LIMIT = 100_000;

/** Columns of an event, of its thread's card and of what else it names. */
export type RawEventRow = Pick<EventEntity, 'account_id' | 'thread_id' | 'type' | 'at'> &
  Pick<CardRow, 'status_name' | 'status_kind' | 'status_order'> &
  Pick<ThreadEvent, 'seq' | 'event_version' | 'to_name' | 'to_kind' | 'to_order'> &
  Prefixed<'event_', Pick<EventEntity, 'assistant_id' | 'body'>> & {
    card: CardJson | null;
    shown_message: MessageValue | null;
  };

/** What is known of a whole look, in its first row. */
export interface LookFacts {
  xmin: string;
  at_head: string | null;
  at_verified: string | null;
  seqs: number[] | null;
  at_last: string | null;
}

/** A look that finds no event of an open board has one row without an event. */
export type LookRow = LookFacts & (RawEventRow | (Record<keyof RawEventRow, null> & { seq: null }));

/** Tells two events with the same number apart: the thread, and the version that the event led to. */
const IDENTITY = `h.thread_id || ' ' || h.version`;
const identityAt = (seq: string): string => `(SELECT ${IDENTITY} FROM events h WHERE h.seq = ${seq})`;

const LOG_COLUMNS = 'seq, account_id, thread_id, assistant_id, version, type, at, body';

const EVENT_COLUMNS = `
  e.seq::float8 AS seq, e.account_id, e.thread_id, e.assistant_id AS event_assistant_id,
  e.version::float8 AS event_version, e.type, e.at, e.body AS event_body,
  n.name AS to_name, n.kind AS to_kind, n."order" AS to_order,
  CASE WHEN t.id IS NOT NULL THEN ${cardJson('t', 'clock_timestamp()', waitingReason('t', 'clock_timestamp()', 's'))} END AS card,
  s.name AS status_name, s.kind AS status_kind, s."order" AS status_order, shown.message AS shown_message`;

/**
 * Joins to an event `e` its thread, the stages and the message that it names, where a condition holds. Elsewhere the
 * joins compare with null, which no index contains, so that nothing is read. The message is one column: a dozen more
 * would be sent and parsed with every event.
 */
const cardJoins = (condition: string): string => `
  LEFT JOIN threads t ON t.account_id = e.account_id AND t.id = CASE WHEN ${condition} THEN e.thread_id END
  LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
  LEFT JOIN statuses n ON ${condition} AND n.account_id = e.account_id
                      AND n.id = CASE e.type WHEN 'status' THEN (e.body ->> 'to')::uuid END
  LEFT JOIN LATERAL (
    SELECT to_jsonb(found) AS message
      FROM (SELECT ${MESSAGE_COLUMNS} FROM messages m
             WHERE m.account_id = e.account_id
               AND m.id = CASE WHEN ${condition} AND e.type IN ${NAMES_MESSAGE}
                               THEN (e.body ->> 'message_id')::uuid END) found) shown ON true`;

/**
 * Reads what a process has not seen: all above the head and in the open gaps. Everything is of one snapshot: its xmin,
 * the identities of two events that the process knows, the numbers found, and the events of agents with open boards
 * with their cards. Of other events only the number is sent.
 */
export const LOOK = statement('feed-look').takes('head', 'verified', 'gaps', 'boards').returns<LookRow>(`
  WITH found AS MATERIALIZED (
    (SELECT ${LOG_COLUMNS} FROM events WHERE seq > :head::bigint ORDER BY seq LIMIT ${LOOK_LIMIT})
    UNION ALL
    (SELECT ${LOG_COLUMNS} FROM events WHERE seq = ANY (:gaps::bigint[])))
  SELECT ${OLDEST_XID} AS xmin, ${identityAt(':head::bigint')} AS at_head,
         ${identityAt(':verified::bigint')} AS at_verified,
         CASE WHEN e.place > 1 THEN NULL ELSE (SELECT array_agg(seq::float8 ORDER BY seq) FROM found) END AS seqs,
         (SELECT ${IDENTITY} FROM found h ORDER BY h.seq DESC LIMIT 1) AS at_last, ${EVENT_COLUMNS}
    FROM (SELECT 1) look
    LEFT JOIN LATERAL (
      SELECT f.*, row_number() OVER (ORDER BY f.seq) AS place FROM found f
       WHERE f.assistant_id = ANY (:boards::uuid[])) e ON true
    ${cardJoins('e.assistant_id IS NOT NULL')}
   ORDER BY e.seq`);

/** The same where no board is open: the numbers alone. A bulk makes three events of each message. */
export const LOOK_NUMBERS = statement('feed-look-numbers').takes('head', 'verified', 'gaps')
  .returns<LookFacts>(`
  SELECT ${OLDEST_XID} AS xmin, ${identityAt(':head::bigint')} AS at_head,
         ${identityAt(':verified::bigint')} AS at_verified, e.seqs, ${identityAt('e.last')} AS at_last
    FROM (SELECT array_agg(n.seq::float8 ORDER BY n.seq) AS seqs, max(n.seq) AS last
            FROM ((SELECT seq FROM events WHERE seq > :head::bigint ORDER BY seq LIMIT ${LOOK_LIMIT})
                  UNION ALL
                  (SELECT seq FROM events WHERE seq = ANY (:gaps::bigint[]))) n) e`);

export interface FeedStart {
  /** The newest number. */
  head: number;
  /** Which event has it; null when there is none. */
  atHead: string | null;
  /** The newest number of more than 30 s ago, or the one below those that were read. Open numbers lie above it. */
  floor: number;
  /** The numbers of the last 30 s, in order. */
  recent: number[];
}

export const START = statement('feed-start').returns<FeedStart>(`
  SELECT coalesce(max(seq), 0)::float8 AS head,
         (SELECT ${IDENTITY} FROM events h ORDER BY h.seq DESC LIMIT 1) AS "atHead",
         coalesce(max(seq) FILTER (WHERE at <= clock_timestamp() - interval '30 s'),
                  CASE WHEN count(*) = ${START_LIMIT} THEN min(seq) - 1 END, 0)::float8 AS floor,
         coalesce(array_agg(seq::float8 ORDER BY seq) FILTER (WHERE at > clock_timestamp() - interval '30 s'), '{}') AS recent
    FROM (SELECT seq, at FROM events ORDER BY seq DESC LIMIT ${START_LIMIT}) e`);

export interface SincePoint {
  /** Whether the mark is older than what is replayed. */
  too_old: boolean;
  /** The replay begins above this number: 30 s before the mark, for late commits. */
  floor: number;
  /** Events of the agent above the mark, counted up to the limit. */
  behind: number;
}

/**
 * The instant of the newest event up to a mark is what a client that stored the mark can have seen. A mark above all
 * events belongs to a log that no longer exists.
 *
 * Here and below, a range of agents with one agent in it, in the order of the agents: only the agent's own index has
 * that order. Along the index of all numbers, the planner's choice, the events of all accounts would be read.
 */
export const SINCE = statement('feed-since').takes('since', 'accountId', 'assistantId', 'retention', 'limit')
  .returns<SincePoint>(`
  SELECT e.at < clock_timestamp() - :retention::interval AS too_old,
         coalesce((SELECT b.seq FROM events b
                    WHERE b.account_id = :accountId AND b.assistant_id >= :assistantId
                      AND (b.assistant_id, b.seq) <= (:assistantId::uuid, :since::bigint)
                      AND b.at < e.at - interval '30 s'
                    ORDER BY b.assistant_id DESC, b.seq DESC LIMIT 1), 0)::float8 AS floor,
         (SELECT count(*)::int FROM (SELECT 1 FROM events c WHERE c.account_id = :accountId AND c.assistant_id = :assistantId
                                        AND c.seq > :since::bigint LIMIT :limit) c) AS behind
    FROM (SELECT at FROM events WHERE seq <= :since::bigint ORDER BY seq DESC LIMIT 1) e
   WHERE :since::bigint <= (SELECT max(seq) FROM events)`);

export const REPLAY = statement('feed-replay').takes('accountId', 'assistantId', 'above', 'limit')
  .returns<RawEventRow>(`
  SELECT ${EVENT_COLUMNS}
    FROM (SELECT ${LOG_COLUMNS} FROM events
           WHERE account_id = :accountId AND assistant_id <= :assistantId
             AND (assistant_id, seq) > (:assistantId::uuid, :above::bigint)
           ORDER BY assistant_id, seq LIMIT :limit) e
    ${cardJoins('true')}
   ORDER BY e.seq`);

/** The newest events of an agent that are not older than an age, in their order. */
export const RECENT = statement('feed-recent').takes('accountId', 'assistantId', 'age', 'limit')
  .returns<RawEventRow>(`
  SELECT ${EVENT_COLUMNS}
    FROM (SELECT n.* FROM (
            SELECT ${LOG_COLUMNS} FROM events
             WHERE account_id = :accountId AND assistant_id >= :assistantId
               AND (assistant_id, seq) <= (:assistantId::uuid, ${2n ** 63n - 1n})
             ORDER BY assistant_id DESC, seq DESC LIMIT :limit) n
           WHERE n.at > clock_timestamp() - :age::interval) e
    ${cardJoins('true')}
   ORDER BY e.seq`);
