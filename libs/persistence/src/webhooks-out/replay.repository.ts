import { NIL_ID } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import type { AssistantEntity } from '../assistants/assistant.entity';
import { statement } from '../database/sql.statements';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database } from '../database/database.service';
import { LONGEST_WAIT, WAKE_LEFT } from './delivery-queue.statements';
import { eventsBeside, IS_FOR_IT, LOGGED_AGENTS } from './event-type.statements';
import {
  GIVEN_DELIVERIES,
  NEW_DELIVERIES,
  type FoundColumnsOrNull,
  foundEvents,
  valuesOf,
  type FoundEvent,
  type NewDelivery,
} from './new-delivery.statements';
import type { EndpointKey } from './endpoint-queue.statements';

/** Whether a time may begin a replay, by the database's clock, and until when it goes: until now, at most. */
const REPLAY_TIMES = statement('endpoint-replay-times').takes('since', 'until', 'daysMax').returns<{
  is_recent: boolean;
  ends_at: Date;
}>(`
  SELECT :since::timestamptz >= n.at - make_interval(days => :daysMax::int) AS is_recent,
         least(coalesce(:until::timestamptz, n.at), n.at) AS ends_at
    FROM (SELECT clock_timestamp() AS at) n`);

/** Events of an agent, from a number on and before another one. */
export interface LogSpan extends Pick<AssistantEntity, 'id'> {
  first: string;
  behind: string;
}

/** Numbers are given in the order of time, but for what two transactions do side by side. */
const SIDE_BY_SIDE = `interval '1 minute'`;

/**
 * Between which numbers the events of a time are, of each agent. The log has no index by time, so each bound is searched by
 * halves: one event is read at a time.
 */
const REPLAY_SPANS = statement('endpoint-replay-spans').takes('accountId', 'since', 'until')
  .returns<LogSpan>(`
  WITH RECURSIVE ends AS MATERIALIZED (
    SELECT a.id, b.seq AS lo, z.seq + 1 AS hi
      FROM ${LOGGED_AGENTS} a
      CROSS JOIN LATERAL (
        SELECT e.seq FROM events e
         WHERE e.account_id = :accountId AND e.assistant_id >= a.id AND e.assistant_id <= a.id
         ORDER BY e.assistant_id, e.seq LIMIT 1) b
      CROSS JOIN LATERAL (
        SELECT e.seq FROM events e
         WHERE e.account_id = :accountId AND e.assistant_id >= a.id AND e.assistant_id <= a.id
         ORDER BY e.assistant_id DESC, e.seq DESC LIMIT 1) z),
  search (id, bound, at, lo, hi) AS (
    SELECT n.id, t.bound, t.at, n.lo, n.hi
      FROM ends n
      CROSS JOIN (VALUES ('first', :since::timestamptz - ${SIDE_BY_SIDE}),
                         ('behind', :until::timestamptz + ${SIDE_BY_SIDE})) t (bound, at)
    UNION ALL
    SELECT s.id, s.bound, s.at, CASE WHEN m.seq < s.hi AND m.at < s.at THEN m.seq + 1 ELSE s.lo END,
           CASE WHEN m.seq < s.hi AND m.at < s.at THEN s.hi ELSE (s.lo + s.hi) / 2 END
      FROM search s
      LEFT JOIN LATERAL (
        SELECT e.seq, e.at FROM events e
         WHERE e.account_id = :accountId AND e.assistant_id <= s.id AND (e.assistant_id, e.seq) >= (s.id, (s.lo + s.hi) / 2)
         ORDER BY e.assistant_id, e.seq LIMIT 1) m ON true
     WHERE s.lo < s.hi)
  SELECT id, max(lo) FILTER (WHERE bound = 'first') AS first, max(lo) FILTER (WHERE bound = 'behind') AS behind
    FROM search GROUP BY id`);

/** An event of the log that an endpoint was to get and has not got, in each row; or null, in one row alone. */
export interface MissedRow extends FoundColumnsOrNull {
  /** The highest number that was read; null: the span has no more. */
  last: string | null;
}

/**
 * Reads a part of a span: what was meant for the endpoint and has not been delivered, also what is to be tried again. Events that
 * the endpoint has still to take over are left to that, and an erased customer's are nobody's any more.
 */
const MISSED = statement('endpoint-replay-missed').takes(
  ...(['accountId', 'endpointId', 'id', 'first', 'behind', 'since', 'until', 'limit'] as const),
).returns<MissedRow>(`
  WITH part AS MATERIALIZED (
    SELECT e.* FROM events e
     WHERE e.account_id = :accountId AND (e.assistant_id, e.seq) >= (:id::uuid, :first::bigint)
       AND (e.assistant_id, e.seq) < (:id::uuid, :behind::bigint)
     ORDER BY e.assistant_id, e.seq LIMIT :limit)
  SELECT (SELECT max(seq) FROM part) AS last, m.*
    FROM (SELECT 1) one
    LEFT JOIN LATERAL (
      SELECT e.seq::float8 AS seq, e.thread_id, e.at, typed.type
        FROM ${eventsBeside('part')}
        LEFT JOIN endpoint_deliveries d ON d.account_id = :accountId AND d.endpoint_id = :endpointId AND d.seq = e.seq
       WHERE ${IS_FOR_IT}
         AND e.at >= :since::timestamptz AND e.at < :until::timestamptz AND (e.seq <= q.seq OR e.at < q.events_since OR d.id IS NOT NULL)
         AND (d.id IS NULL OR d.state <> 'delivered')) m ON true
   ORDER BY m.seq`);

/**
 * Has events sent to an enabled endpoint again, or at last. Of each dialog the first is due now; a later one waits for it, at
 * most for 15 minutes.
 */
const REPLAY = statement('endpoint-replay').takes(
  ...(['accountId', 'endpointId', ...NEW_DELIVERIES] as const),
).returns<{
  queued: number;
  /** False: the endpoint is disabled, or gone, and nothing was done. */
  is_enabled: boolean;
}>(`
  WITH queue AS MATERIALIZED (
    SELECT q.endpoint_id FROM endpoint_queues q
     WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId FOR NO KEY UPDATE),
  timed AS MATERIALIZED (
    SELECT u.*, c.at, u.thread_id <> '${NIL_ID}' AND (
             row_number() OVER (PARTITION BY u.thread_id ORDER BY u.seq) > 1
             OR EXISTS (SELECT 1 FROM endpoint_deliveries b
                         WHERE b.account_id = :accountId AND b.endpoint_id = :endpointId AND b.thread_id = u.thread_id
                           AND b.state = 'pending' AND b.seq < u.seq)) AS waits
      FROM queue q
     CROSS JOIN ${GIVEN_DELIVERIES}
     CROSS JOIN (SELECT clock_timestamp() AS at) c),
  written AS (
    INSERT INTO endpoint_deliveries AS d (account_id, id, endpoint_id, seq, thread_id, type, event_id, state, due_at, waits,
                                          replayed, created_at)
    SELECT :accountId::uuid, t.id, :endpointId::uuid, t.seq, t.thread_id, t.type, t.event_id, 'pending',
           CASE WHEN t.waits THEN t.at + ${LONGEST_WAIT} ELSE t.at END, t.waits, true, t.at
      FROM timed t ORDER BY t.seq
    ON CONFLICT (account_id, endpoint_id, seq) DO UPDATE
      SET state = 'pending', due_at = excluded.due_at, waits = excluded.waits, replayed = true, tries = 0, failed_at = NULL
    WHERE d.state <> 'delivered'
    RETURNING 1),
  woken AS (
    UPDATE endpoint_queues q SET due_at = least(q.due_at, n.at) FROM (SELECT min(at) AS at FROM timed) n
     WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId)
  SELECT (SELECT count(*) FROM written)::int AS queued, EXISTS (SELECT 1 FROM queue) AS is_enabled`);

/** From a time on, and before another one. */
export interface TimeSpan {
  since: Date;
  until: Date;
}

const IS_ENABLED = statement('endpoint-is-enabled').takes('accountId', 'endpointId').returns<{
  found: number;
}>(`
  SELECT 1 AS found FROM endpoint_queues WHERE account_id = :accountId AND endpoint_id = :endpointId FOR SHARE`);

/** Events of the log that are sent to an endpoint again, or at last. */
@Injectable()
export class ReplayRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** Whether a time is at most so many days ago by the database's clock, and when a replay of it ends: now, at the latest. */
  async timesOf(
    since: Date,
    until: Date | null,
    daysMax: number,
  ): Promise<{ isRecent: boolean; endsAt: Date }> {
    const [row] = await this.database.run(REPLAY_TIMES, { since, until, daysMax });
    if (!row) throw new Error('the database did not tell the time');
    return { isRecent: row.is_recent, endsAt: row.ends_at };
  }

  /** Keeps that a replay begins. @returns false: the endpoint is disabled, or gone. */
  async begin(key: EndpointKey, entryOf: AuditEntryOf<null>): Promise<boolean> {
    return this.database.transactFor(key.accountId, async (tx) => {
      if ((await tx.run(IS_ENABLED, { ...key })).length === 0) return false;
      await this.audit.append(tx, entryOf(null));
      return true;
    });
  }

  /** Where the events of a time are in the log, agent by agent. */
  async spansOf({ accountId }: EndpointKey, time: TimeSpan): Promise<LogSpan[]> {
    return this.database.runFor(accountId, REPLAY_SPANS, { accountId, ...time });
  }

  /** Reads a part of a span: what the endpoint was to get and has not got. */
  async missed(
    key: EndpointKey,
    span: LogSpan,
    time: TimeSpan,
    limit: number,
  ): Promise<{ last: string | null; events: FoundEvent[] }> {
    const rows = await this.database.runFor(key.accountId, MISSED, { ...key, ...span, ...time, limit });
    return { last: rows[0]?.last ?? null, events: foundEvents(rows) };
  }

  /**
   * Has events sent again, or at last.
   * @returns how many; null: the endpoint is disabled, or gone
   */
  async replay(key: EndpointKey, deliveries: readonly NewDelivery[]): Promise<number | null> {
    const values = { ...key, ...valuesOf(deliveries) };
    const [row] = await this.database.runFor(key.accountId, REPLAY, values);
    return row?.is_enabled ? row.queued : null;
  }

  /** What waits for an event that passed meanwhile is due. */
  async wakeLeft(key: EndpointKey): Promise<void> {
    await this.database.runFor(key.accountId, WAKE_LEFT, { ...key });
  }
}
