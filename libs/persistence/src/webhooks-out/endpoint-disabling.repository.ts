import type { DisabledReason } from '@app/contracts/webhook.words';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database, WorkDatabase } from '../database/database.service';
import { statement } from '../database/sql.statements';
import { appendAccountEvent } from '../events/event.statements';
import type { EndpointKey } from './endpoint-queue.statements';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity';
import { SKIP_PENDING } from './webhook-endpoint.statements';
import { webhooksOf } from './new-delivery.statements';

/** Deliveries that one statement skips. */
const SKIPPED_AT_ONCE = 1_000;
/** Endpoints of which one look finds what is left. */
const FOUND_AT_ONCE = 100;

const LOCK = statement('endpoint-disabling-lock').takes(
  ...(['accountId', 'endpointId', 'token', 'url'] as const),
).returns<Pick<WebhookEndpointEntity, 'url'>>(`
  SELECT w.url FROM webhook_endpoints w
   WHERE w.account_id = :accountId AND w.id = :endpointId AND w.disabled_at IS NULL AND w.url = :url
     AND (:token::uuid IS NULL OR EXISTS (
       SELECT 1 FROM endpoint_queues q
        WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND q.lease_token = :token))
     FOR NO KEY UPDATE`);

const DISABLE = statement('endpoint-disabling-disable').takes('accountId', 'endpointId', 'reason').returns(`
  WITH gone AS (
    DELETE FROM endpoint_queues q WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId)
  UPDATE webhook_endpoints w SET disabled_at = c.at, disabled_reason = :reason
    FROM (SELECT clock_timestamp() AS at) c
   WHERE w.account_id = :accountId AND w.id = :endpointId`);

/** Disabled endpoints, of all accounts, of which something is still pending. */
const UNSKIPPED = statement('endpoint-disabling-unskipped').takes('limit').returns<EndpointKey>(`
  SELECT w.account_id AS "accountId", w.id AS "endpointId" FROM webhook_endpoints w
   WHERE w.disabled_at IS NOT NULL AND EXISTS (
     SELECT 1 FROM endpoint_deliveries p
      WHERE p.account_id = w.account_id AND p.endpoint_id = w.id AND p.state = 'pending')
   LIMIT :limit`);

/** Takes endpoints out of service. */
@Injectable()
export class EndpointDisablingRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * The service disables an endpoint.
   * @param token of the lease by which it is held; null: it need not be
   * @param url the address whose answers say so
   * @returns whether it did: an admin may have been quicker, the lease may be lost, or it has another address since
   */
  async disable(
    { accountId, endpointId }: EndpointKey,
    token: string | null,
    url: string,
    reason: Exclude<DisabledReason, 'admin'>,
    entryOf: AuditEntryOf<{ url: string }>,
  ): Promise<boolean> {
    return this.database.transactFor(webhooksOf(accountId), async (transaction) => {
      const [endpoint] = await transaction.run(LOCK, { accountId, endpointId, token, url });
      if (!endpoint) return false;
      await transaction.run(DISABLE, { accountId, endpointId, reason });
      const body = { endpoint_id: endpointId, reason };
      await appendAccountEvent(transaction, { accountId, assistantId: null, type: 'webhook_disabled', body });
      await this.audit.append(transaction, entryOf(endpoint));
      return true;
    });
  }

  /** What is still pending of disabled endpoints is not sent any more: endpoint by endpoint, some at a time. */
  async skipLeft(): Promise<void> {
    for (const key of await this.work.run(UNSKIPPED, { limit: FOUND_AT_ONCE })) {
      const some = { ...key, limit: SKIPPED_AT_ONCE };
      while ((await this.work.run(SKIP_PENDING, some)).length > 0);
    }
  }
}
