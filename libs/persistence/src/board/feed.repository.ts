import { Injectable } from '@nestjs/common';
import type { Prefixed } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { EventEntity } from '../events/event.entity';
import { OLDEST_XID, CURRENT_XID } from '../events/event.statements';
import {
  MESSAGE_COLUMNS,
  NAMES_MESSAGE,
  type MessageValue,
  messageOf,
  type MessageRow,
} from '../messages/dialog/message-columns';
import { cardJson, type CardJson, type CardRow, cardOf } from '../threads/card-columns';
import { waitingReason } from '../threads/thread.rules';
import type { ThreadEvent } from '../threads/thread-log.statements';
import { Database, FeedDatabase } from '../database/database.service';

/** Events that one look reads above the head at most. */
const LOOK_LIMIT = 1000;
const START_LIMIT = 100_000;

/** Columns of an event, of its thread's card and of what else it names. */
type RawEventRow = Pick<EventEntity, 'account_id' | 'thread_id' | 'type' | 'at'> &
  Pick<CardRow, 'status_name' | 'status_kind' | 'status_order'> &
  Pick<ThreadEvent, 'seq' | 'event_version' | 'to_name' | 'to_kind' | 'to_order'> &
  Prefixed<'event_', Pick<EventEntity, 'assistant_id' | 'body'>> & {
    card: CardJson | null;
    shown_message: MessageValue | null;
  };

/** What is known of a whole look, in its first row. */
interface LookFacts {
  xmin: string;
  at_head: string | null;
  at_verified: string | null;
  seqs: number[] | null;
  at_last: string | null;
}

/** A look that finds no event of an open board has one row without an event. */
type LookRow = LookFacts & (RawEventRow | (Record<keyof RawEventRow, null> & { seq: null }));

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
const LOOK = statement('feed-look').takes('head', 'verified', 'gaps', 'boards').returns<LookRow>(`
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
const LOOK_NUMBERS = statement('feed-look-numbers').takes('head', 'verified', 'gaps').returns<LookFacts>(`
  SELECT ${OLDEST_XID} AS xmin, ${identityAt(':head::bigint')} AS at_head,
         ${identityAt(':verified::bigint')} AS at_verified, e.seqs, ${identityAt('e.last')} AS at_last
    FROM (SELECT array_agg(n.seq::float8 ORDER BY n.seq) AS seqs, max(n.seq) AS last
            FROM ((SELECT seq FROM events WHERE seq > :head::bigint ORDER BY seq LIMIT ${LOOK_LIMIT})
                  UNION ALL
                  (SELECT seq FROM events WHERE seq = ANY (:gaps::bigint[]))) n) e`);

interface FeedStart {
  /** The newest number. */
  head: number;
  /** Which event has it; null when there is none. */
  atHead: string | null;
  /** The newest number of more than 30 s ago, or the one below those that were read. Open numbers lie above it. */
  floor: number;
  /** The numbers of the last 30 s, in order. */
  recent: number[];
}

const START = statement('feed-start').returns<FeedStart>(`
  SELECT coalesce(max(seq), 0)::float8 AS head,
         (SELECT ${IDENTITY} FROM events h ORDER BY h.seq DESC LIMIT 1) AS "atHead",
         coalesce(max(seq) FILTER (WHERE at <= clock_timestamp() - interval '30 s'),
                  CASE WHEN count(*) = ${START_LIMIT} THEN min(seq) - 1 END, 0)::float8 AS floor,
         coalesce(array_agg(seq::float8 ORDER BY seq) FILTER (WHERE at > clock_timestamp() - interval '30 s'), '{}') AS recent
    FROM (SELECT seq, at FROM events ORDER BY seq DESC LIMIT ${START_LIMIT}) e`);

interface SincePoint {
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
const SINCE = statement('feed-since').takes('since', 'accountId', 'assistantId', 'retention', 'limit')
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

const REPLAY = statement('feed-replay').takes('accountId', 'assistantId', 'above', 'limit')
  .returns<RawEventRow>(`
  SELECT ${EVENT_COLUMNS}
    FROM (SELECT ${LOG_COLUMNS} FROM events
           WHERE account_id = :accountId AND assistant_id <= :assistantId
             AND (assistant_id, seq) > (:assistantId::uuid, :above::bigint)
           ORDER BY assistant_id, seq LIMIT :limit) e
    ${cardJoins('true')}
   ORDER BY e.seq`);

/** The newest events of an agent that are not older than an age, in their order. */
const RECENT = statement('feed-recent').takes('accountId', 'assistantId', 'age', 'limit')
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

export interface FeedEvent extends ThreadEvent {
  /** The message that the event names, as it is now; null for events that name none. */
  message: MessageRow | null;
}

/** What a process has seen of the log. */
export interface Seen {
  /** The highest number. */
  head: number;
  /** A number whose event an earlier look found: the head, or one below. */
  verified: number;
  /** Numbers below the head that may still become visible. */
  gaps: readonly number[];
}

export interface Look {
  /** Transactions below this one are over: pg_snapshot_xmin of the look's snapshot. */
  xmin: bigint;
  /** Which event has the head's number; null when there is none. */
  atHead: string | null;
  /** Which event has the verified number; null when there is none. */
  atVerified: string | null;
  /** The numbers found, in order. */
  seqs: number[];
  /** Which event has the last of them; null when there is none. */
  atLast: string | null;
  /** Those of them that are of agents with open boards. */
  events: FeedEvent[];
  /** Whether the look reached its limit, so that there is more to read. */
  full: boolean;
}

/** How a look names an event, so that another one that came to have the same number is told apart. */
export const identityOf = (event: { threadId: string; version: number }): string =>
  `${event.threadId} ${event.version}`;

/** The event log as the feed reads it. It reads across accounts, a listed exception: a process serves all of them. */
@Injectable()
export class FeedRepository {
  constructor(
    private readonly database: Database,
    private readonly looks: FeedDatabase,
  ) {}

  /** Where a process begins to read. */
  async start(): Promise<FeedStart> {
    // By the looks' connection: after a failover the pool's connections may still lead to the old primary.
    const [row] = await this.looks.run(START);
    return row ?? { head: 0, atHead: null, floor: 0, recent: [] };
  }

  /** What is above the head and in the gaps. @param boards agents whose events are wanted with their cards */
  async look(seen: Seen, boards: readonly string[]): Promise<Look> {
    if (boards.length === 0) {
      const [row] = await this.looks.run(LOOK_NUMBERS, { ...seen });
      return lookOf(row, [], seen);
    }
    const rows = await this.looks.run(LOOK, { ...seen, boards });
    return lookOf(rows[0], rows.filter(hasEvent).map(feedEventOf), seen);
  }

  /** A transaction id above that of every transaction that can still fill a gap seen before this call. */
  async currentTransactionId(): Promise<bigint> {
    const [row] = await this.looks.run(CURRENT_XID);
    return BigInt(row?.xid ?? '0');
  }

  /** Where a replay from a mark begins; null when no event lies at or below the mark, or none at or above it. */
  async sincePoint(
    accountId: string,
    assistantId: string,
    since: number,
    retention: string,
    limit: number,
  ): Promise<SincePoint | null> {
    const values = { since, accountId, assistantId, retention, limit };
    const [row] = await this.database.runFor(accountId, SINCE, values);
    return row ?? null;
  }

  /** The events of an agent above a number, with their cards as they are now. */
  async replay(accountId: string, assistantId: string, above: number, limit: number): Promise<FeedEvent[]> {
    const values = { accountId, assistantId, above, limit };
    return (await this.database.runFor(accountId, REPLAY, values)).map(feedEventOf);
  }

  /** The newest events of an agent that are not older than an age, with their cards as they are now. */
  async recent(accountId: string, assistantId: string, ageMs: number, limit: number): Promise<FeedEvent[]> {
    const values = { accountId, assistantId, age: `${ageMs} ms`, limit };
    return (await this.database.runFor(accountId, RECENT, values)).map(feedEventOf);
  }
}

const hasEvent = (row: LookRow): row is LookFacts & RawEventRow => row.seq !== null;

function lookOf(facts: LookFacts | undefined, events: FeedEvent[], { head }: Seen): Look {
  const seqs = facts?.seqs ?? [];
  return {
    xmin: BigInt(facts?.xmin ?? '0'),
    atHead: facts?.at_head ?? null,
    atVerified: facts?.at_verified ?? null,
    seqs,
    atLast: facts?.at_last ?? null,
    events,
    full: seqs.filter((seq) => seq > head).length >= LOOK_LIMIT,
  };
}

function feedEventOf(row: RawEventRow): FeedEvent {
  const { event_body: body, card, status_name, status_kind, status_order } = row;
  return {
    seq: row.seq,
    account_id: row.account_id,
    thread_id: row.thread_id,
    assistant_id: row.event_assistant_id,
    event_version: row.event_version,
    type: row.type,
    at: row.at,
    by: body.by,
    actor: body.actor ?? null,
    request_id: body.request_id ?? null,
    from_value: body.from ?? null,
    to_value: body.to ?? null,
    to_name: row.to_name,
    to_kind: row.to_kind,
    to_order: row.to_order,
    card: card && cardOf(card, { status_name, status_kind, status_order }),
    message: row.shown_message && messageOf(row.shown_message),
  };
}
