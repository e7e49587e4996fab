import type { Actor } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import { Database, FeedDatabase, type PreparedStatement } from '../database/database.service';
import { MESSAGE_COLUMNS, messageOf, type MessageRow, type MessageValue } from '../messages/message.columns';
import { CARD_COLUMNS, type CardRow } from '../threads/card.columns';

export interface FeedEventRow {
  seq: number;
  account_id: string;
  thread_id: string;
  assistant_id: string;
  event_version: number;
  type: string;
  at: Date;
  by: string;
  actor: Actor | null;
  from_value: string | boolean | null;
  to_value: string | boolean | null;
  to_name: string | null;
  to_kind: string | null;
  to_order: number | null;
  /** The dialog at the time of the read; null when no board of this process asked for it. */
  card: CardRow | null;
  /** The message that the event names, at the time of the read; null for events that name none. */
  message: MessageRow | null;
}

export interface Look {
  /** Transactions below this one are over: pg_snapshot_xmin of the snapshot in which the events were read. */
  xmin: bigint;
  /** The identity of the event with the head's number: its dialog and version; null when there is none. */
  atHead: string | null;
  /** The numbers found, in order. */
  seqs: number[];
  /** The identity of the last of them; null when there is none. */
  atLast: string | null;
  /** Those of agents with open boards. */
  events: FeedEventRow[];
  /** Whether the read stopped at its limit with more to read. */
  full: boolean;
}

interface RawFeedRow extends Omit<CardRow, 'version' | 'id'> {
  xmin: string;
  at_head: string | null;
  /** In the first row. */
  seqs: number[] | null;
  at_last: string | null;
  seq: number | null;
  account_id: string;
  thread_id: string;
  event_assistant_id: string;
  event_version: number;
  type: string;
  at: Date;
  event_body: {
    by?: string;
    actor?: Actor | null;
    from?: string | boolean | null;
    to?: string | boolean | null;
  };
  to_name: string | null;
  to_kind: string | null;
  to_order: number | null;
  id: string | null;
  version: number;
  shown_message: MessageValue | null;
}

const LOOK_LIMIT = 1000;
const START_LIMIT = 100_000;

/**
 * The identity of an event, which shows whether another event got the same number: its dialog, and the version after
 * it.
 */
const IDENTITY = `h.thread_id || ' ' || h.version`;

const EVENT_COLUMNS = `
  e.seq::float8 AS seq, e.account_id, e.thread_id, e.assistant_id AS event_assistant_id,
  e.version::float8 AS event_version, e.type, e.at, e.body AS event_body,
  n.name AS to_name, n.kind AS to_kind, n."order" AS to_order, ${CARD_COLUMNS},
  shown.message AS shown_message`;

/**
 * Joins to an event `e` the dialog, its stage and the message that it names, under a condition. Unwanted rows are
 * joined by null, which no index contains, so they cost no reading: cards that no board shows, and the message of an
 * event that names none. A message is one column, because its dozen columns would be sent and parsed with every
 * event.
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
               AND m.id = CASE WHEN ${condition} AND e.type IN ('message', 'message_state')
                               THEN (e.body ->> 'message_id')::uuid END) found) shown ON true`;

/**
 * One read of the log, in one snapshot: the snapshot's xmin, the head, the numbers above it and in the open gaps and,
 * for agents with open boards, the events with their present cards. Of other agents' events only the number is sent.
 * The first row has what concerns the whole read. $1 head $2 open gaps $3 agents with open boards
 */
const LOOK: PreparedStatement = {
  name: 'feed-look',
  text: `
  WITH found AS MATERIALIZED (
    (SELECT seq, account_id, thread_id, assistant_id, version, type, at, body
       FROM events WHERE seq > $1::bigint ORDER BY seq LIMIT ${LOOK_LIMIT})
    UNION ALL
    (SELECT seq, account_id, thread_id, assistant_id, version, type, at, body
       FROM events WHERE seq = ANY ($2::bigint[])))
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
         (SELECT ${IDENTITY} FROM events h WHERE h.seq = $1::bigint) AS at_head,
         CASE WHEN e.place > 1 THEN NULL ELSE (SELECT array_agg(seq::float8 ORDER BY seq) FROM found) END AS seqs,
         (SELECT ${IDENTITY} FROM found h ORDER BY h.seq DESC LIMIT 1) AS at_last, ${EVENT_COLUMNS}
    FROM (SELECT 1) look
    LEFT JOIN LATERAL (
      SELECT f.*, row_number() OVER (ORDER BY f.seq) AS place FROM found f WHERE f.assistant_id = ANY ($3::uuid[])) e ON true
    ${cardJoins('e.assistant_id IS NOT NULL')}
   ORDER BY e.seq`,
};

/**
 * The same where no board is open: the numbers only, because each message of a list has three events. $1 head $2 open
 * gaps
 */
const LOOK_NUMBERS: PreparedStatement = {
  name: 'feed-look-numbers',
  text: `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
         (SELECT ${IDENTITY} FROM events h WHERE h.seq = $1::bigint) AS "atHead",
         coalesce(e.seqs, '{}') AS seqs,
         (SELECT ${IDENTITY} FROM events h WHERE h.seq = e.last) AS "atLast"
    FROM (SELECT array_agg(n.seq::float8 ORDER BY n.seq) AS seqs, max(n.seq) AS last
            FROM ((SELECT seq FROM events WHERE seq > $1::bigint ORDER BY seq LIMIT ${LOOK_LIMIT})
                  UNION ALL
                  (SELECT seq FROM events WHERE seq = ANY ($2::bigint[]))) n) e`,
};

const CURRENT_XID: PreparedStatement = { name: 'feed-xid', text: 'SELECT pg_current_xact_id()::text AS xid' };

const START: PreparedStatement = {
  name: 'feed-start',
  text: `
  SELECT coalesce(max(seq), 0)::float8 AS head,
         (SELECT ${IDENTITY} FROM events h ORDER BY h.seq DESC LIMIT 1) AS "atHead",
         coalesce(max(seq) FILTER (WHERE at <= clock_timestamp() - interval '30 s'),
                  CASE WHEN count(*) = ${START_LIMIT} THEN min(seq) - 1 END, 0)::float8 AS floor,
         coalesce(array_agg(seq::float8 ORDER BY seq) FILTER (WHERE at > clock_timestamp() - interval '30 s'), '{}') AS recent
    FROM (SELECT seq, at FROM events ORDER BY seq DESC LIMIT ${START_LIMIT}) e`,
};

/**
 * The time of the newest event up to a mark: what a client that stored the mark can have seen. A mark above all
 * events belongs to a log that was replaced.
 */
const SINCE: PreparedStatement = {
  name: 'feed-since',
  text: `
  SELECT e.at, e.at < clock_timestamp() - $4::interval AS too_old,
         coalesce((SELECT b.seq FROM events b WHERE b.account_id = $2 AND b.assistant_id = $3 AND b.seq <= $1::bigint
                      AND b.at < e.at - interval '30 s' ORDER BY b.seq DESC LIMIT 1), 0)::float8 AS floor,
         (SELECT count(*)::int FROM (SELECT 1 FROM events c WHERE c.account_id = $2 AND c.assistant_id = $3
                                        AND c.seq > $1::bigint LIMIT $5) c) AS behind
    FROM (SELECT at FROM events WHERE seq <= $1::bigint ORDER BY seq DESC LIMIT 1) e
   WHERE $1::bigint <= (SELECT max(seq) FROM events)`,
};

const REPLAY: PreparedStatement = {
  name: 'feed-replay',
  text: `
  SELECT '0' AS xmin, NULL AS at_head, ${EVENT_COLUMNS}
    FROM (SELECT seq, account_id, thread_id, assistant_id, version, type, at, body FROM events
           WHERE account_id = $1 AND assistant_id = $2 AND seq > $3::bigint ORDER BY seq LIMIT $4) e
    ${cardJoins('true')}
   ORDER BY e.seq`,
};

export interface FeedStart {
  /** The newest number. */
  head: number;
  /** Its identity as {@link identityOf} builds it; null when there is none. */
  atHead: string | null;
  /** The newest number of more than 30 s ago, or the last below those that were read. Open gaps are above it. */
  floor: number;
  /** The numbers of the last 30 s, in order. */
  recent: number[];
}

export interface SincePoint {
  /** Whether the mark is older than what can be replayed. */
  too_old: boolean;
  /** Everything of the agent above this number is replayed: 30 s before the mark, for late commits. */
  floor: number;
  /** Events of the agent above the mark, counted up to the limit. */
  behind: number;
}

/**
 * The event log as the feed reads it. It reads across accounts, a listed exception, because one process serves them
 * all.
 */
@Injectable()
export class FeedRepository {
  constructor(
    private readonly database: Database,
    private readonly looks: FeedDatabase,
  ) {}

  async start(): Promise<FeedStart> {
    // On the feed's connection: after a failover the pool's other connections may still be at the old primary.
    const [row] = await this.looks.run<FeedStart>(START);
    return row ?? { head: 0, atHead: null, floor: 0, recent: [] };
  }

  async look(head: number, gaps: readonly number[], boards: readonly string[]): Promise<Look> {
    if (boards.length === 0) return this.lookAtNumbers(head, gaps);
    const rows = await this.looks.run<RawFeedRow>(LOOK, [head, gaps, boards]);
    const { xmin = '0', at_head: atHead = null, seqs, at_last: atLast = null } = rows[0] ?? {};
    const events = rows.filter((row) => row.seq !== null).map(toFeedEvent);
    const numbers = seqs ?? [];
    return { xmin: BigInt(xmin), atHead, seqs: numbers, atLast, events, full: isFull(numbers, head) };
  }

  private async lookAtNumbers(head: number, gaps: readonly number[]): Promise<Look> {
    const [row] = await this.looks.run<Pick<Look, 'atHead' | 'seqs' | 'atLast'> & { xmin: string }>(
      LOOK_NUMBERS,
      [head, gaps],
    );
    const { xmin = '0', atHead = null, seqs = [], atLast = null } = row ?? {};
    return { xmin: BigInt(xmin), atHead, seqs, atLast, events: [], full: isFull(seqs, head) };
  }

  /** A transaction id newer than every transaction that could still fill a gap seen before this call. */
  async currentTransactionId(): Promise<bigint> {
    const [row] = await this.looks.run<{ xid: string }>(CURRENT_XID);
    return BigInt(row?.xid ?? '0');
  }

  /** Where a replay from a mark must begin; null when no event is at or below the mark, or none at or above it. */
  async sincePoint(
    accountId: string,
    assistantId: string,
    since: number,
    retention: string,
    limit: number,
  ): Promise<SincePoint | null> {
    const [row] = await this.database.runFor<SincePoint>(accountId, SINCE, [
      since,
      accountId,
      assistantId,
      retention,
      limit,
    ]);
    return row ?? null;
  }

  async replay(
    accountId: string,
    assistantId: string,
    above: number,
    limit: number,
  ): Promise<FeedEventRow[]> {
    const rows = await this.database.runFor<RawFeedRow>(accountId, REPLAY, [
      accountId,
      assistantId,
      above,
      limit,
    ]);
    return rows.map(toFeedEvent);
  }
}

const isFull = (seqs: readonly number[], head: number): boolean =>
  seqs.filter((seq) => seq > head).length >= LOOK_LIMIT;

function toFeedEvent(row: RawFeedRow): FeedEventRow {
  const { event_body: body } = row;
  return {
    seq: row.seq ?? 0,
    account_id: row.account_id,
    thread_id: row.thread_id,
    assistant_id: row.event_assistant_id,
    event_version: row.event_version,
    type: row.type,
    at: row.at,
    by: body.by ?? '',
    actor: body.actor ?? null,
    from_value: body.from ?? null,
    to_value: body.to ?? null,
    to_name: row.to_name,
    to_kind: row.to_kind,
    to_order: row.to_order,
    card: row.id === null ? null : { ...row, id: row.id },
    message: row.shown_message && messageOf(row.shown_message),
  };
}
