import type { DisabledReason } from '@app/contracts/webhook.words';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database, WorkDatabase } from '../database/database.service';
import { statement } from '../database/sql.statement';
import { APPEND_ACCOUNT_EVENT } from '../events/account-event.fragments';
import type { HeldEndpoint } from './endpoint-queue.repository';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity';

/** Deliveries that one statement skips. */
const SKIPPED_AT_ONCE = 1_000;

const LOCK = statement('endpoint-disabling-lock').takes('accountId', 'endpointId', 'token').returns<
  Pick<WebhookEndpointEntity, 'url'>
>(`
  SELECT w.url FROM webhook_endpoints w
   WHERE w.account_id = :accountId AND w.id = :endpointId AND w.disabled_at IS NULL
     AND EXISTS (SELECT 1 FROM endpoint_queues q
                  WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId AND q.lease_token = :token)
     FOR NO KEY UPDATE`);

const DISABLE = statement('endpoint-disabling-disable').takes('accountId', 'endpointId', 'reason').returns(`
  WITH gone AS (
    DELETE FROM endpoint_queues q WHERE q.account_id = :accountId AND q.endpoint_id = :endpointId)
  UPDATE webhook_endpoints w SET disabled_at = clock_timestamp(), disabled_reason = :reason
   WHERE w.account_id = :accountId AND w.id = :endpointId`);

const SKIP_LEFT = statement('endpoint-disabling-skip-left').takes('limit').returns(`
  UPDATE endpoint_deliveries d SET state = 'skipped', due_at = NULL, waits = false
    FROM (SELECT l.account_id, l.id
            FROM webhook_endpoints w
           CROSS JOIN LATERAL (
             SELECT p.account_id, p.id FROM endpoint_deliveries p
              WHERE p.account_id = w.account_id AND p.endpoint_id = w.id AND p.state = 'pending'
              LIMIT :limit) l
           WHERE w.disabled_at IS NOT NULL
           LIMIT :limit) k
   WHERE d.account_id = k.account_id AND d.id = k.id
  RETURNING d.id`);

/** Takes endpoints out of service. */
@Injectable()
export class EndpointDisablingRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
    private readonly audit: AuditRepository,
  ) {}

  /** The service disables an endpoint that it holds. @returns whether it did: an admin may have been quicker */
  async disable(
    held: HeldEndpoint,
    reason: Exclude<DisabledReason, 'admin'>,
    entryOf: AuditEntryOf<{ url: string }>,
  ): Promise<boolean> {
    const { accountId, endpointId } = held;
    return this.database.transactFor(`webhooks of ${accountId}`, async (transaction) => {
      const [endpoint] = await transaction.run(LOCK, { ...held });
      if (!endpoint) return false;
      await transaction.run(DISABLE, { accountId, endpointId, reason });
      const body = JSON.stringify({ endpoint_id: endpointId, reason });
      const event = { accountId, assistantId: null, type: 'webhook_disabled', body };
      await transaction.run(APPEND_ACCOUNT_EVENT, event);
      await this.audit.append(transaction, entryOf(endpoint));
      return true;
    });
  }

  /** What is still pending of disabled endpoints is not sent any more. @returns how many were skipped */
  async skipLeft(): Promise<number> {
    return (await this.work.run(SKIP_LEFT, { limit: SKIPPED_AT_ONCE })).length;
  }
}
