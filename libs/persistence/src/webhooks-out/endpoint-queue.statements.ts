import { NIL_ID } from '@app/contracts/uuid.format';
import { FAILURES_UNTIL_PROBED } from '@app/contracts/webhook.words';
import type { AsNumbers, CamelCased, OrNull } from '../database/row.types';
import { statement } from '../database/sql.statement';
import type { EventEntity } from '../events/event.entity';
import { countBacklog, type WorkBacklog } from '../work/backlog.fragments';
import { leaseFor, leaseIsFree } from '../work/lease.fragments';
import type { EndpointDeliveryEntity } from './endpoint-delivery.entity';
import type { EndpointQueueEntity } from './endpoint-queue.entity';
import { isFor, LOGGED_AGENTS, webhookTypeOf } from './event-type.fragments';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity';

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
      `SELECT account_id FROM endpoint_deliveries
        WHERE state = 'failed' AND created_at > clock_timestamp() - interval '76 hours'
          AND (attempts -> -1 ->> 'at')::timestamptz > clock_timestamp() - interval '1 hour'`,
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

const FORMER_COUNTS = 'coalesce(w.former_until > clock_timestamp(), false)';

/** Another one as soon as anything differs that sending to an endpoint needs. */
export const REVISION = `
  hashtextextended(ROW(w.url, w.max_per_second, w.key_id, w.secret, w.former_key_id, w.former_secret, ${FORMER_COUNTS})::text, 0)::text`;

export const SENDING_COLUMNS = `
  w.account_id, w.id, w.url, w.max_per_second, w.key_id, w.secret, w.former_key_id, w.former_secret,
  ${FORMER_COUNTS} AS former_counts, ${REVISION} AS sending_revision`;

const heldBy = (condition: string): string => `
  UPDATE endpoint_queues q SET lease_token = :token, lease_until = ${leaseFor(':leaseMs')}
    FROM webhook_endpoints w
   WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND ${condition}
     AND w.account_id = q.account_id AND w.id = q.endpoint_id
  RETURNING ${SENDING_COLUMNS}, q.failures, q.seq::float8 AS seq, clock_timestamp() AS asked_at`;

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

/** A transaction that begins now, and the oldest that is open. */
export const TRANSACTIONS = statement('endpoint-queues-transactions').returns<{
  current: string;
  oldest: string;
}>(`
  SELECT pg_current_xact_id()::text AS current, pg_snapshot_xmin(pg_current_snapshot())::text AS oldest`);

/** What a look found, in each of its rows; an event of it that is for the endpoint, or null in one row. */
export interface FoundRow extends OrNull<
  AsNumbers<Pick<EventEntity, 'seq'>> &
    Pick<EventEntity, 'thread_id' | 'at'> &
    Pick<EndpointDeliveryEntity, 'type'>
> {
  /** The highest number that was read; null: none. */
  last: number | null;
  /** Whether there may be more above it. */
  full: boolean;
}

/**
 * Events above a number, in order. Those that are for the endpoint and have no delivery yet come with their types. An erased
 * customer's are nobody's any more.
 */
export const LOOK = statement('endpoint-queues-look').takes('accountId', 'endpointId', 'above', 'limit')
  .returns<FoundRow>(`
  WITH found AS MATERIALIZED (
    SELECT n.* FROM ${LOGGED_AGENTS} a
     CROSS JOIN LATERAL (${newerThan(':accountId', ':above::bigint', 'e.seq, e.thread_id, e.assistant_id, e.type, e.at, e.body', ':limit')}) n
     ORDER BY n.seq LIMIT :limit)
  SELECT (SELECT max(seq) FROM found)::float8 AS last, (SELECT count(*) = :limit FROM found) AS full,
         f.seq::float8 AS seq, f.thread_id, f.at, f.told AS type
    FROM (SELECT 1) one
    LEFT JOIN LATERAL (
      SELECT e.seq, e.thread_id, e.at, typed.told
        FROM endpoint_queues q
        JOIN webhook_endpoints w ON w.account_id = q.account_id AND w.id = q.endpoint_id
       CROSS JOIN found e
       CROSS JOIN LATERAL (SELECT ${webhookTypeOf('e')} AS told) typed
       WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND typed.told IS NOT NULL
         AND e.at >= q.events_since AND ${isFor('w', 'e', 'typed.told')}
         AND NOT EXISTS (SELECT 1 FROM endpoint_deliveries d
                          WHERE d.account_id = :accountId AND d.endpoint_id = :endpointId AND d.seq = e.seq)
         AND NOT EXISTS (
           SELECT 1 FROM threads h WHERE h.account_id = :accountId AND h.id = e.thread_id AND h.erased_at IS NOT NULL)) f ON true
   ORDER BY f.seq`);
