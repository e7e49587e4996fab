import { NIL_ID } from '@app/contracts/uuid.format';
import { FAILURES_UNTIL_PROBED } from '@app/contracts/webhook.words';
import type { AsNumbers, CamelCased } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { EventEntity } from '../events/event.entity';
import { OLDEST_XID } from '../events/event.statements';
import { countBacklog, type WorkBacklog, leaseFor, leaseIsFree } from '../work/work.statements';
import type { EndpointQueueEntity, WebhookEndpointEntity } from './webhook-endpoint.entity';
import { eventsBeside, IS_FOR_IT, LOGGED_AGENTS, NEWEST_NUMBER } from './event-type.statements';
import type { FoundColumnsOrNull } from './new-delivery.statements';

/** An endpoint's place in its account. */
export type EndpointKey = CamelCased<Pick<EndpointQueueEntity, 'account_id' | 'endpoint_id'>>;

/** Events of an account above a number, agent by agent: only the agents' own indexes have that order. */
const newerThan = (account: string, seq: string, columns: string, limit: string): string => `
  SELECT ${columns} FROM events e
   WHERE e.account_id = ${account} AND e.assistant_id <= a.id AND (e.assistant_id, e.seq) > (a.id, ${seq})
   ORDER BY e.assistant_id, e.seq LIMIT ${limit}`;

/** Whether the log of the endpoint's account has events that it has not taken over for good. */
const HAS_NEWS = `EXISTS (
  SELECT 1 FROM (SELECT id FROM assistants WHERE account_id = q.account_id UNION ALL SELECT '${NIL_ID}'::uuid) a
   CROSS JOIN LATERAL (${newerThan('q.account_id', 'q.seq', '1', '1')}) n)`;

/**
 * Endpoints with a delivery to make or an event to take over, the longest due first. When one is due is written as its lease is
 * given back; a lease that ran out was not given back, so nobody knows what the killed process left.
 */
export const DUE = statement('endpoint-queues-due').takes('limit').returns<EndpointKey>(`
  SELECT q.account_id AS "accountId", q.endpoint_id AS "endpointId" FROM endpoint_queues q
   WHERE ${leaseIsFree('q')} AND (q.lease_token IS NOT NULL OR q.due_at <= clock_timestamp() OR ${HAS_NEWS})
   ORDER BY q.due_at NULLS LAST LIMIT :limit`);

/** All endpoints that are enabled: few, and read by each process every second. */
export const ENABLED = statement('endpoint-queues-enabled').returns<EndpointKey>(`
  SELECT account_id AS "accountId", endpoint_id AS "endpointId" FROM endpoint_queues`);

/** What waits for a probe of an endpoint that fails is not late: nobody but its receiver can do anything about it. */
export const BACKLOG = statement('endpoint-queues-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT d.account_id, d.due_at, NOT ${leaseIsFree('q')} AS held
         FROM endpoint_queues q JOIN endpoint_deliveries d USING (account_id, endpoint_id)
        WHERE d.state = 'pending' AND d.due_at <= clock_timestamp() AND q.failures < ${FAILURES_UNTIL_PROBED}`,
      `SELECT account_id FROM endpoint_deliveries WHERE failed_at > now() - interval '1 hour' AND state = 'failed'`,
    ),
  );

/** What sending to an endpoint needs. */
export type SendingRow = Pick<
  WebhookEndpointEntity,
  'account_id' | 'id' | 'url' | 'max_per_second' | 'key_id' | 'secret' | 'former_key_id' | 'former_secret'
> & {
  /** Whether the former secret still signs. */
  former_counts: boolean;
  /** See {@link REVISION}. */
  sending_revision: string;
};

/** An endpoint whose events this process sends, as it is now. */
export type HeldRow = SendingRow &
  Pick<EndpointQueueEntity, 'failures'> &
  AsNumbers<Pick<EndpointQueueEntity, 'seq'>> & {
    /** When it was read, by the database's clock. */
    asked_at: Date;
  };

const formerCounts = (now: string): string => `coalesce(w.former_until > ${now}, false)`;

const revisionAt = (now: string): string => `
  hashtextextended(ROW(w.url, w.max_per_second, w.key_id, w.secret, w.former_key_id, w.former_secret, ${formerCounts(now)})::text, 0)::text`;

/** Another one as soon as anything differs that sending to an endpoint needs. */
export const REVISION = revisionAt('clock_timestamp()');

/** @param now an expression */
export const sendingColumns = (now: string): string => `
  w.account_id, w.id, w.url, w.max_per_second, w.key_id, w.secret, w.former_key_id, w.former_secret,
  ${formerCounts(now)} AS former_counts, ${revisionAt(now)} AS sending_revision`;

const heldBy = (condition: string): string => `
  WITH locked AS MATERIALIZED (
    SELECT q.endpoint_id FROM endpoint_queues q
     WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND ${condition} FOR NO KEY UPDATE),
  leased AS MATERIALIZED (SELECT l.*, ${leaseFor(':leaseMs')} AS until, clock_timestamp() AS at FROM locked l)
  UPDATE endpoint_queues q SET lease_token = :token, lease_until = l.until
    FROM leased l JOIN webhook_endpoints w ON w.account_id = :accountId AND w.id = l.endpoint_id
   WHERE q.account_id = :accountId AND q.endpoint_id = l.endpoint_id
  RETURNING ${sendingColumns('l.at')}, q.failures, q.seq::float8 AS seq, l.at AS asked_at`;

export const CLAIM = statement('endpoint-queues-claim')
  .takes('accountId', 'endpointId', 'token', 'leaseMs')
  .returns<HeldRow>(heldBy(leaseIsFree('q')));

/** The endpoint as it is now; no row: it is held by somebody else, disabled or deleted. */
export const RENEW = statement('endpoint-queues-renew')
  .takes('accountId', 'endpointId', 'token', 'leaseMs')
  .returns<HeldRow>(heldBy('q.lease_token = :token'));

/** Whoever changes when the endpoint is due waits until this transaction is over. */
export const LOCK_QUEUE = statement('endpoint-queues-lock').takes('accountId', 'endpointId').returns(`
  SELECT 1 FROM endpoint_queues q WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId FOR NO KEY UPDATE`);

const OF_ENDPOINT = `d.account_id = :accountId AND d.endpoint_id = :endpointId AND d.state = 'pending'`;

/** Gives the lease back, and says when the next delivery is due. */
export const RELEASE = statement('endpoint-queues-release').takes('accountId', 'endpointId', 'token')
  .returns(`
  UPDATE endpoint_queues q
     SET lease_token = NULL, lease_until = NULL,
         due_at = (SELECT min(d.due_at) FROM endpoint_deliveries d WHERE ${OF_ENDPOINT})
   WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND q.lease_token = :token`);

/** Takes over for good what is below a number. */
export const ADVANCE = statement('endpoint-queues-advance').takes('accountId', 'endpointId', 'token', 'seq')
  .returns(`
  UPDATE endpoint_queues q SET seq = :seq
   WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND q.lease_token = :token AND q.seq < :seq::bigint`);

/** The newest number of the account's log that is visible; 0: it has none. */
export const NEWEST = statement('endpoint-queues-newest').takes('accountId').returns<
  AsNumbers<Pick<EventEntity, 'seq'>>
>(`
  SELECT ${NEWEST_NUMBER}::float8 AS seq`);

export const OLDEST = statement('endpoint-queues-oldest-xid').returns<{ xid: string }>(
  `SELECT ${OLDEST_XID} AS xid`,
);

/** What a look found, in each of its rows; an event of it that is for the endpoint, or null in one row. */
export interface FoundRow extends FoundColumnsOrNull {
  /** The highest number that was read; null: none. */
  last: number | null;
  /** Whether there may be more above it. */
  full: boolean;
}

/** Of each agent at least so many numbers are read at a time, so that one agent that has most of them does not take long. */
const NUMBERS_OF_EACH = 50;

/**
 * Events above a number, in order. Those that are for the endpoint and have no delivery yet come with their types. Numbers are
 * read first, of each agent its share, and count as far as all agents were read. So however many agents there are, no more of
 * the log is read than is used.
 */
export const LOOK = statement('endpoint-queues-look').takes('accountId', 'endpointId', 'above', 'limit')
  .returns<FoundRow>(`
  WITH agents AS MATERIALIZED (
    SELECT a.id, least(:limit::bigint, greatest(2 * :limit::bigint / count(*) OVER (), ${NUMBERS_OF_EACH})) AS share
      FROM ${LOGGED_AGENTS} a),
  numbers AS MATERIALIZED (
    SELECT a.share, n.*, row_number() OVER (PARTITION BY n.assistant_id ORDER BY n.seq) AS place
      FROM agents a
     CROSS JOIN LATERAL (${newerThan(':accountId', ':above::bigint', 'e.assistant_id, e.seq', 'a.share')}) n),
  found AS MATERIALIZED (
    SELECT n.assistant_id, n.seq FROM numbers n
     WHERE n.seq <= coalesce((SELECT min(seq) FROM numbers WHERE place = share), n.seq)
     ORDER BY n.seq LIMIT :limit)
  SELECT (SELECT max(seq) FROM found)::float8 AS last,
         (SELECT count(*) FROM numbers) > (SELECT count(*) FROM found) OR EXISTS (SELECT 1 FROM numbers WHERE place = share) AS full,
         f.seq::float8 AS seq, f.thread_id, f.at, f.type
    FROM (SELECT 1) one
    LEFT JOIN LATERAL (
      SELECT e.seq, e.thread_id, e.at, typed.type
        FROM ${eventsBeside(`(
          SELECT l.* FROM found n
           CROSS JOIN LATERAL (
             SELECT * FROM events o
              WHERE o.account_id = :accountId AND o.assistant_id = n.assistant_id AND o.seq = n.seq LIMIT 1) l)`)}
       WHERE ${IS_FOR_IT} AND e.at >= q.events_since
         AND NOT EXISTS (SELECT 1 FROM endpoint_deliveries d
                          WHERE d.account_id = :accountId AND d.endpoint_id = :endpointId AND d.seq = e.seq)) f ON true
   ORDER BY f.seq`);
