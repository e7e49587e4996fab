import { ENDPOINT_LIMITS, FAILURES_UNTIL_PROBED, type EndpointState } from '@app/contracts/webhook.words';
import type { OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { SKIPPED } from './new-delivery.statements';
import type { EndpointQueueEntity, WebhookEndpointEntity } from './webhook-endpoint.entity';
import { sendingColumns, type SendingRow } from './endpoint-queue.statements';
import { NEWEST_NUMBER } from './event-type.statements';

/** What of an endpoint is shown: everything except its secrets. */
export const SHOWN = [
  ...(['account_id', 'id', 'url', 'events', 'assistant_ids', 'max_per_second', 'description'] as const),
  ...(['disabled_at', 'disabled_reason', 'created_at'] as const),
] as const satisfies readonly (keyof WebhookEndpointEntity)[];

/** An endpoint without its secrets. */
export type EndpointRow = Pick<WebhookEndpointEntity, (typeof SHOWN)[number]>;

/** With how it fares. */
export interface ListedEndpoint extends EndpointRow, OrNull<Pick<EndpointQueueEntity, 'failures'>> {
  /** When the attempt began by which the newest of its events was delivered; null: none of 30 days was. */
  newest_success: string | null;
  /** Deliveries that are to be sent, up to a number: a list costs the same whatever waits. */
  pending: number;
}

/** An endpoint begins to read so many numbers before the newest one: an event that is not visible yet has one of them. */
const NOT_VISIBLE_YET = 1_000;

const WITH_FIGURES = `
  SELECT ${SHOWN.map((column) => `e.${column}`).join(', ')}, q.failures, l.newest_success, w.pending`;

const FIGURES = `
    LEFT JOIN endpoint_queues q ON q.account_id = e.account_id AND q.endpoint_id = e.id
    LEFT JOIN LATERAL (
      SELECT d.attempts -> -1 ->> 'at' AS newest_success FROM endpoint_deliveries d
       WHERE d.account_id = e.account_id AND d.endpoint_id = e.id AND d.state = 'delivered'
       ORDER BY d.id DESC LIMIT 1) l ON true
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS pending FROM (
        SELECT 1 FROM endpoint_deliveries d
         WHERE d.account_id = e.account_id AND d.endpoint_id = e.id AND d.state = 'pending'
         LIMIT ${ENDPOINT_LIMITS.pendingCounted}) p) w`;

/** Newest first. Of all accounts where none is given: an account has few. */
export const LIST_ENDPOINTS = statement('webhook-endpoint-list').takes('reachAccount', 'before', 'limit')
  .returns<ListedEndpoint>(`
  ${WITH_FIGURES}
    FROM (SELECT * FROM webhook_endpoints o
           WHERE (:reachAccount::uuid IS NULL OR o.account_id = :reachAccount) AND (:before::uuid IS NULL OR o.id < :before)
           ORDER BY o.id DESC LIMIT :limit) e
    ${FIGURES}
   ORDER BY e.id DESC`);

/** An admin names an endpoint by its id alone. */
export const FIND_ENDPOINT = statement('webhook-endpoint-find').takes('reachAccount', 'endpointId')
  .returns<ListedEndpoint>(`
  ${WITH_FIGURES}
    FROM (SELECT * FROM webhook_endpoints o
           WHERE o.id = :endpointId AND (:reachAccount::uuid IS NULL OR o.account_id = :reachAccount)) e
    ${FIGURES}`);

/** How many endpoints all accounts have, by how they fare. Only those that are enabled have a queue. */
export const COUNT_ENDPOINTS = statement('webhook-endpoint-count').returns<{
  state: EndpointState;
  endpoints: number;
}>(`
  SELECT CASE WHEN e.disabled_at IS NOT NULL THEN 'disabled'
              WHEN q.failures >= ${FAILURES_UNTIL_PROBED} THEN 'failing' ELSE 'ok' END AS state,
         count(*)::int AS endpoints
    FROM webhook_endpoints e
    LEFT JOIN endpoint_queues q ON q.account_id = e.account_id AND q.endpoint_id = e.id
   GROUP BY 1`);

/** From now on events are meant for the endpoint. */
export const OPEN_QUEUE = statement('webhook-endpoint-open-queue').takes('accountId', 'endpointId').returns(`
  INSERT INTO endpoint_queues (account_id, endpoint_id, seq)
  SELECT :accountId::uuid, :endpointId::uuid, greatest(${NEWEST_NUMBER} - ${NOT_VISIBLE_YET}, 0)`);

const IS_DISABLED = `EXISTS (
       SELECT 1 FROM webhook_endpoints e WHERE e.account_id = :accountId AND e.id = :endpointId AND e.disabled_at IS NOT NULL)`;

/** Some pending deliveries of a disabled endpoint are not sent any more. */
export const SKIP_PENDING = statement('endpoint-deliveries-skip').takes('accountId', 'endpointId', 'limit')
  .returns<{ skipped: number }>(`
  WITH part AS MATERIALIZED (
    SELECT d.id FROM endpoint_deliveries d
     WHERE d.account_id = :accountId AND d.endpoint_id = :endpointId AND d.state = 'pending' AND ${IS_DISABLED}
     ORDER BY d.due_at LIMIT :limit FOR UPDATE)
  UPDATE endpoint_deliveries d SET ${SKIPPED}
    FROM part p WHERE d.account_id = :accountId AND d.id = p.id
  RETURNING 1 AS skipped`);

/** Some deliveries of a disabled endpoint that is to be deleted. */
export const DROP_DELIVERIES = statement('endpoint-deliveries-drop').takes('accountId', 'endpointId', 'limit')
  .returns<{ dropped: number }>(`
  DELETE FROM endpoint_deliveries d
   WHERE d.account_id = :accountId AND d.id = ANY (ARRAY(
     SELECT o.id FROM endpoint_deliveries o
      WHERE o.account_id = :accountId AND o.endpoint_id = :endpointId AND ${IS_DISABLED} LIMIT :limit::int))
  RETURNING 1 AS dropped`);

/**
 * A new secret. The present one signs for some hours more, which are counted after the lock: of rotations at once, the later
 * one ends later. The one before it does not any more.
 */
export const ROTATE_SECRET = statement('webhook-endpoint-rotate').takes(
  ...(['accountId', 'endpointId', 'keyId', 'sealed', 'overlapHours'] as const),
).returns<Pick<WebhookEndpointEntity, 'former_until'>>(`
  WITH locked AS MATERIALIZED (
    SELECT e.id, e.key_id, e.secret FROM webhook_endpoints e
     WHERE e.account_id = :accountId AND e.id = :endpointId FOR NO KEY UPDATE),
  former AS MATERIALIZED (
    SELECT l.*, CASE WHEN :overlapHours::int > 0
                     THEN date_trunc('milliseconds', clock_timestamp()) + make_interval(hours => :overlapHours::int) END AS until
      FROM locked l)
  UPDATE webhook_endpoints e
     SET key_id = :keyId, secret = :sealed, former_until = f.until,
         former_key_id = CASE WHEN f.until IS NOT NULL THEN f.key_id END,
         former_secret = CASE WHEN f.until IS NOT NULL THEN f.secret END
    FROM former f WHERE e.account_id = :accountId AND e.id = f.id
  RETURNING e.former_until`);

/** What sending to an endpoint needs. */
export const FIND_SENDING = statement('webhook-endpoint-sending').takes('accountId', 'endpointId')
  .returns<SendingRow>(`
  SELECT ${sendingColumns('clock_timestamp()')} FROM webhook_endpoints w
   WHERE w.account_id = :accountId AND w.id = :endpointId`);
