import { NIL_ID } from '@app/contracts/uuid.format';
import { SERVICE_FAULTS } from '@app/contracts/webhook.words';
import type { AsNumbers, NotNull, OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { IS_NOT_HELD } from '../work/work.statements';
import type { EndpointDeliveryEntity } from './webhook-endpoint.entity';
import { REVISION } from './endpoint-queue.statements';
import { GIVEN_DELIVERIES, NEW_DELIVERIES } from './new-delivery.statements';

/** So long a delivery waits for an earlier one of its dialog; then it overtakes it. */
export const LONGEST_WAIT = `interval '15 minutes'`;

/** So many attempts of a delivery are kept. */
const ATTEMPTS_KEPT = 50;

/**
 * Makes deliveries of events, in their order. One whose dialog has an earlier one pending waits for it. The same process does
 * this and {@link SETTLE}, one after the other, for as long as it holds the endpoint: so none waits for one that is over.
 */
export const MAKE_DELIVERIES = statement('endpoint-deliveries-make').takes(
  ...(['accountId', 'endpointId', ...NEW_DELIVERIES] as const),
).returns(`
  INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, seq, thread_id, type, event_id, state, due_at, waits)
  SELECT :accountId, g.id, :endpointId, g.seq, g.thread_id, g.type, g.event_id, 'pending',
         c.at + CASE WHEN w.waits THEN ${LONGEST_WAIT} ELSE interval '0' END, w.waits
    FROM (SELECT *, row_number() OVER (PARTITION BY thread_id ORDER BY seq) AS place
            FROM ${GIVEN_DELIVERIES}) g
   CROSS JOIN (SELECT clock_timestamp() AS at) c
   CROSS JOIN LATERAL (
     SELECT g.thread_id <> '${NIL_ID}' AND (g.place > 1 OR EXISTS (
              SELECT 1 FROM endpoint_deliveries d
               WHERE d.account_id = :accountId AND d.endpoint_id = :endpointId AND d.thread_id = g.thread_id
                 AND d.state = 'pending')) AS waits) w
   ORDER BY g.seq
  ON CONFLICT (account_id, endpoint_id, seq) DO NOTHING`);

/** A delivery that is to be sent now. */
export type DueDelivery = Pick<
  EndpointDeliveryEntity,
  'id' | 'thread_id' | 'type' | 'event_id' | 'replayed' | 'tries'
> &
  // Only a test has no number, and a test is never pending.
  NotNull<AsNumbers<Pick<EndpointDeliveryEntity, 'seq'>>>;

/** In each row what holds for the endpoint; a delivery that is due, or nulls in the one row where none is. */
export interface NextRow extends OrNull<DueDelivery> {
  /** Of what sending needs: see {@link REVISION}. */
  sending_revision: string;
  /** Where none is due: in how many milliseconds the next one is whose dialog has none under way; null: none is pending. */
  in_ms: number | null;
}

/** Pending at the endpoint, besides what this process is sending, and not of a dialog that has one under way. */
const isFree = (delivery: string): string => `
       ${delivery}.account_id = :accountId AND ${delivery}.endpoint_id = :endpointId AND ${delivery}.state = 'pending'
   AND NOT (${delivery}.id = ANY (:ids::uuid[]))
   AND (${delivery}.thread_id = '${NIL_ID}' OR NOT (${delivery}.thread_id = ANY (:threadIds::uuid[])))`;

/**
 * What is due, the longest first. Of each dialog the first alone: those that overtake an earlier one keep their order among
 * themselves. No row at all where this process does not hold the endpoint any more: it may be disabled since, or sending is
 * held. By now(), which an index can be asked for: what is to be tried again in hours is not read.
 */
export const NEXT_DELIVERIES = statement('endpoint-deliveries-next').takes(
  'accountId',
  'endpointId',
  'token',
  'ids',
  'threadIds',
  'limit',
).returns<NextRow>(`
  SELECT h.sending_revision, d.id, d.seq::float8 AS seq, d.thread_id, d.type, d.event_id, d.replayed, d.tries,
         CASE WHEN d.id IS NULL THEN (
           SELECT (extract(epoch FROM n.due_at - clock_timestamp()) * 1000)::float8 FROM endpoint_deliveries n
            WHERE ${isFree('n')}
            ORDER BY n.due_at LIMIT 1) END AS in_ms
    FROM (SELECT ${REVISION} AS sending_revision
            FROM endpoint_queues q JOIN webhook_endpoints w ON w.account_id = q.account_id AND w.id = q.endpoint_id
           WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND q.lease_token = :token
             AND ${IS_NOT_HELD}) h
    LEFT JOIN LATERAL (
      SELECT o.id, o.seq, o.thread_id, o.type, o.event_id, o.replayed, o.tries, o.due_at FROM endpoint_deliveries o
       WHERE ${isFree('o')}
         AND o.due_at <= now()
         AND (o.thread_id = '${NIL_ID}' OR NOT EXISTS (
           SELECT 1 FROM endpoint_deliveries p
            WHERE p.account_id = :accountId AND p.endpoint_id = :endpointId AND p.thread_id = o.thread_id
              AND p.state = 'pending' AND p.seq < o.seq AND p.due_at <= now()))
       ORDER BY o.due_at, o.seq LIMIT :limit) d ON true
   ORDER BY d.due_at, d.seq`);

/**
 * What came of attempts, and how the endpoint fares since. Decided once the deliveries are locked, after the queue as everywhere:
 * one that an erasure skipped meanwhile stays so, and one that a person has had sent anew, with all its tries before it, stays
 * due as it is. An attempt that passed counts even where the delivery is not pending any more. Where a dialog has nothing earlier
 * pending, its next delivery is due at once.
 */
export const SETTLE = statement('endpoint-deliveries-settle').takes(
  'accountId',
  'endpointId',
  'ids',
  'tries',
  'states',
  'againMs',
  'attempts',
  'failures',
  'hasPassed',
).returns(`
  WITH queue AS MATERIALIZED (
    SELECT 1 FROM endpoint_queues q WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId FOR NO KEY UPDATE),
  locked AS MATERIALIZED (
    SELECT d.id, d.state AS former, d.tries, d.due_at, d.waits FROM endpoint_deliveries d
     WHERE d.account_id = :accountId AND d.id = ANY (:ids::uuid[]) AND (SELECT count(*) FROM queue) >= 0
     ORDER BY d.seq FOR UPDATE OF d),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at, count(*) FROM locked),
  outcomes AS MATERIALIZED (
    SELECT o.id, o.attempt, n.state, c.at, n.is_anew AND l.waits AS waits, CASE WHEN n.is_anew THEN l.tries ELSE l.tries + 1 END AS tries,
           CASE WHEN n.is_anew THEN l.due_at
                WHEN n.state = 'pending' THEN c.at + make_interval(secs => o.again_ms / 1000) END AS due_at
      FROM unnest(:ids::uuid[], :tries::int[], :states::text[], :againMs::float8[], :attempts::jsonb[])
             AS o (id, tries, state, again_ms, attempt)
      JOIN locked l ON l.id = o.id
     CROSS JOIN clock c
     CROSS JOIN LATERAL (
       SELECT o.state <> 'delivered' AND l.former = 'pending' AND l.tries < o.tries AS is_anew) a
     CROSS JOIN LATERAL (
       SELECT a.is_anew, CASE WHEN a.is_anew THEN 'pending'
                              WHEN o.state = 'delivered' OR l.former = 'pending' THEN o.state
                              ELSE l.former END AS state) n),
  settled AS (
    UPDATE endpoint_deliveries d
       SET state = o.state, due_at = o.due_at, waits = o.waits, tries = o.tries,
           failed_at = CASE WHEN o.state = 'failed' THEN o.at END,
           attempts = CASE WHEN jsonb_array_length(d.attempts) < ${ATTEMPTS_KEPT} THEN d.attempts ELSE d.attempts - 0 END
                      || jsonb_build_array(o.attempt)
      FROM outcomes o
     WHERE d.account_id = :accountId AND d.id = o.id
    RETURNING d.id, d.thread_id, d.state),
  over AS (SELECT id, thread_id FROM settled WHERE state <> 'pending' AND thread_id <> '${NIL_ID}'),
  woken AS (
    UPDATE endpoint_deliveries d SET waits = false, due_at = c.at
      FROM (SELECT DISTINCT thread_id FROM over) o
     CROSS JOIN clock c
     CROSS JOIN LATERAL (
       SELECT p.id FROM endpoint_deliveries p
        WHERE p.account_id = :accountId AND p.endpoint_id = :endpointId AND p.thread_id = o.thread_id
          AND p.state = 'pending' AND p.id NOT IN (SELECT id FROM over)
        ORDER BY p.seq LIMIT 1) next
     WHERE d.account_id = :accountId AND d.id = next.id AND d.waits)
  UPDATE endpoint_queues q
     SET failures = :failures, passed_at = CASE WHEN :hasPassed THEN c.at ELSE q.passed_at END
    FROM clock c
   WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId`);

/** So long ago a delivery was made, at most, that is looked at by {@link WAKE_LEFT}: a run looks several times meanwhile. */
const LOOKED_AT_FOR = `interval '30 seconds'`;

/**
 * What waits for nothing is due: it was made at the moment in which the outcome of the one before it was written. Only what was
 * made lately is read: an endpoint that is dead for days has very many that wait. What is missed waits for 15 minutes.
 */
export const WAKE_LEFT = statement('endpoint-deliveries-wake-left').takes('accountId', 'endpointId').returns(`
  UPDATE endpoint_deliveries d SET waits = false, due_at = c.at
    FROM (SELECT clock_timestamp() AS at) c
   WHERE d.account_id = :accountId AND d.endpoint_id = :endpointId AND d.state = 'pending' AND d.waits
     AND d.due_at > now() + ${LONGEST_WAIT} - ${LOOKED_AT_FOR}
     AND NOT EXISTS (
       SELECT 1 FROM endpoint_deliveries p
        WHERE p.account_id = :accountId AND p.endpoint_id = :endpointId AND p.thread_id = d.thread_id
          AND p.state = 'pending' AND p.seq < d.seq)`);

const FAULTS_OF_OURS = SERVICE_FAULTS.map((fault) => `'${fault}'`).join(', ');

/** Whether nothing has passed for five days, and three different events have failed meanwhile, by no fault of the service. */
export const HAS_FAILED_FOR_DAYS = statement('endpoint-deliveries-failed-for-days').takes(
  'accountId',
  'endpointId',
).returns<{ failing: boolean }>(`
  SELECT (SELECT count(*) FROM (
           SELECT 1 FROM endpoint_deliveries d
            WHERE d.account_id = :accountId AND d.endpoint_id = :endpointId AND d.state IN ('pending', 'failed')
              AND d.tries > 0 AND d.seq IS NOT NULL
              AND (d.attempts -> -1 ->> 'at')::timestamptz > q.passed_at
              AND coalesce(d.attempts -> -1 ->> 'reason', '') NOT IN (${FAULTS_OF_OURS}) LIMIT 3) failed) = 3 AS failing
    FROM endpoint_queues q
   WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId
     AND q.passed_at < clock_timestamp() - interval '5 days'`);
