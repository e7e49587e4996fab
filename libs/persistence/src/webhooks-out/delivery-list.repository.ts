import { NIL_ID } from '@app/contracts/uuid.format';
import {
  DELIVERY_STATES,
  WEBHOOK_TEST,
  type DeliveryState,
  type DeliveryAttempt,
} from '@app/contracts/webhook.words';
import { Injectable } from '@nestjs/common';
import { purgeOf, statement } from '../database/sql.statements';
import { ownerOf, type Reach } from '../accounts/reach-scope';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database } from '../database/database.service';
import { dueAt } from './new-delivery.statements';
import type { EndpointDeliveryEntity, WebhookEndpointEntity } from './webhook-endpoint.entity';
import type { EndpointKey } from './endpoint-queue.statements';

/** A delivery as admins see it. */
export type DeliveryRow = Pick<
  EndpointDeliveryEntity,
  | ('account_id' | 'id' | 'endpoint_id' | 'seq' | 'thread_id' | 'type' | 'event_id' | 'state' | 'due_at')
  | ('replayed' | 'attempts' | 'created_at')
>;

/** One that is named by its id. */
export interface FoundDelivery extends DeliveryRow {
  /** Its endpoint's, now. */
  url: WebhookEndpointEntity['url'];
  /** Its customer was erased. */
  is_erased: boolean;
}

const COLUMNS =
  'd.account_id, d.id, d.endpoint_id, d.seq, d.thread_id, d.type, d.event_id, d.state, d.due_at, d.replayed, d.attempts, d.created_at';

/** Newest first. Each state is read along its index, so that reading ends with the page. */
const LIST_DELIVERIES = statement('endpoint-delivery-list').takes(
  ...(['accountId', 'endpointId', 'state', 'before', 'limit'] as const),
).returns<DeliveryRow>(`
  SELECT ${COLUMNS}
    FROM unnest(ARRAY[${DELIVERY_STATES.map((state) => `'${state}'`).join(', ')}]) s (state)
    CROSS JOIN LATERAL (
      SELECT * FROM endpoint_deliveries o
       WHERE o.account_id = :accountId AND o.endpoint_id = :endpointId AND o.state = s.state
         AND o.id < coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
       ORDER BY o.id DESC LIMIT :limit) d
   WHERE :state::text IS NULL OR s.state = :state
   ORDER BY d.id DESC LIMIT :limit`);

/** Account by account along the primary key: an admin names a delivery by its id alone. */
const FIND_DELIVERY = statement('endpoint-delivery-find').takes('reachAccount', 'deliveryId')
  .returns<FoundDelivery>(`
  SELECT ${COLUMNS}, e.url, EXISTS (
           SELECT 1 FROM threads t WHERE t.account_id = d.account_id AND t.id = d.thread_id AND t.erased_at IS NOT NULL) AS is_erased
    FROM accounts o
    JOIN LATERAL (SELECT * FROM endpoint_deliveries h WHERE h.account_id = o.id AND h.id = :deliveryId) d ON true
    JOIN webhook_endpoints e ON e.account_id = o.id AND e.id = d.endpoint_id
   WHERE :reachAccount::uuid IS NULL OR o.id = :reachAccount`);

/** What became of a delivery that was to be sent again; not due: it was delivered meanwhile. */
export type RetriedDelivery = Pick<EndpointDeliveryEntity, 'due_at'> & { former: DeliveryState };

/** Of an enabled endpoint: its queue is locked, so that it is not disabled meanwhile. */
const RETRY_DELIVERY = statement('endpoint-delivery-retry').takes(
  ...(['accountId', 'endpointId', 'deliveryId'] as const),
).returns<RetriedDelivery>(`
  WITH queue AS MATERIALIZED (
    SELECT q.endpoint_id FROM endpoint_queues q
     WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId FOR NO KEY UPDATE),
  locked AS MATERIALIZED (
    SELECT d.id, d.state FROM endpoint_deliveries d
     WHERE d.account_id = :accountId AND d.id = :deliveryId AND d.endpoint_id IN (SELECT endpoint_id FROM queue) FOR UPDATE),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM locked),
  due AS (
    UPDATE endpoint_deliveries d SET ${dueAt('c.at')}
      FROM locked l CROSS JOIN clock c
     WHERE d.account_id = :accountId AND d.id = l.id AND l.state <> 'delivered'
    RETURNING d.due_at),
  woken AS (
    UPDATE endpoint_queues q SET due_at = least(q.due_at, c.at) FROM clock c
     WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND EXISTS (SELECT 1 FROM due))
  SELECT l.state AS former, due.due_at FROM locked l LEFT JOIN due ON true`);

/** A test is an event of no dialog and of no number. It has failed until it is known what became of it. */
const ADD_TEST = statement('endpoint-delivery-test').takes(
  ...(['accountId', 'endpointId', 'deliveryId', 'eventId'] as const),
).returns<Pick<EndpointDeliveryEntity, 'created_at'>>(`
  WITH queue AS MATERIALIZED (
    SELECT q.endpoint_id FROM endpoint_queues q WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId FOR SHARE)
  INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, thread_id, type, event_id, state)
  SELECT :accountId::uuid, :deliveryId::uuid, q.endpoint_id, '${NIL_ID}'::uuid, '${WEBHOOK_TEST}', :eventId::uuid, 'failed' FROM queue q
  RETURNING created_at`);

/** What became of a test. One that passes counts as any attempt that does: the endpoint is there. */
const CLOSE_TEST = statement('endpoint-delivery-test-close').takes(
  ...(['accountId', 'endpointId', 'deliveryId', 'state', 'attempts'] as const),
).returns<DeliveryRow>(`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  passed AS (
    UPDATE endpoint_queues q SET passed_at = c.at, failures = 0 FROM clock c
     WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND :state::text = 'delivered')
  UPDATE endpoint_deliveries d
     SET state = :state, attempts = :attempts::jsonb, failed_at = CASE WHEN :state::text = 'failed' THEN c.at END
    FROM clock c
   WHERE d.account_id = :accountId AND d.id = :deliveryId
  RETURNING ${COLUMNS}`);

/** Deliveries are kept for thirty days after their last attempt; what is to be sent stays. */
const PURGE_DELIVERIES = statement('endpoint-deliveries-purge')
  .takes('limit')
  .returns(
    purgeOf('endpoint_deliveries', {
      where: `o.created_at < now() - interval '30 days' AND o.state <> 'pending'
         AND coalesce((o.attempts -> -1 ->> 'at')::timestamptz, o.created_at) < now() - interval '30 days'`,
      by: 'created_at',
    }),
  );

/** Deliveries to endpoints, for admins. */
@Injectable()
export class DeliveryListRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Those of an endpoint, newest first.
   * @param state null: any
   * @param before the id of the delivery that the page follows; null for the newest
   */
  async list(
    key: EndpointKey,
    state: DeliveryState | null,
    before: string | null,
    limit: number,
  ): Promise<DeliveryRow[]> {
    const page = { ...key, state, before, limit };
    return this.database.runFor(key.accountId, LIST_DELIVERIES, page);
  }

  async find(reach: Reach, deliveryId: string): Promise<FoundDelivery | null> {
    const named = { reachAccount: reach.accountId, deliveryId };
    const [row] = await this.database.runFor(ownerOf(reach), FIND_DELIVERY, named);
    return row ?? null;
  }

  /**
   * Makes a delivery due now, with all its retries before it, unless it was delivered.
   * @returns null: its endpoint is disabled, or it is gone
   */
  async retry(
    { account_id: accountId, endpoint_id: endpointId, id: deliveryId }: DeliveryRow,
    entryOf: AuditEntryOf<RetriedDelivery>,
  ): Promise<RetriedDelivery | null> {
    return this.database.transactFor(accountId, async (tx) => {
      const [row] = await tx.run(RETRY_DELIVERY, { accountId, endpointId, deliveryId });
      if (row?.due_at) await this.audit.append(tx, entryOf(row));
      return row ?? null;
    });
  }

  /**
   * Keeps that an endpoint is tested, before it is.
   * @returns when; null: the endpoint is disabled, or gone
   */
  async addTest(
    key: EndpointKey,
    ids: { deliveryId: string; eventId: string },
    entryOf: AuditEntryOf<null>,
  ): Promise<Date | null> {
    return this.database.transactFor(key.accountId, async (tx) => {
      const [row] = await tx.run(ADD_TEST, { ...key, ...ids });
      if (!row) return null;
      await this.audit.append(tx, entryOf(null));
      return row.created_at;
    });
  }

  /** What became of a test; null: its endpoint was deleted meanwhile. */
  async closeTest(
    key: EndpointKey,
    deliveryId: string,
    state: DeliveryState,
    attempt: DeliveryAttempt,
  ): Promise<DeliveryRow | null> {
    const attempts = JSON.stringify([attempt]);
    const [row] = await this.database.runFor(key.accountId, CLOSE_TEST, {
      ...{ ...key, deliveryId, state, attempts },
    });
    return row ?? null;
  }

  /** Deletes old deliveries, up to a number. @returns how many were deleted. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE_DELIVERIES, { limit })).length;
  }
}
