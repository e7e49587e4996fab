import { statement } from '../database/sql.statement';
import { countBacklog, type WorkBacklog } from '../work/backlog.fragments';
import { leaseIsFree } from '../work/lease.fragments';
import type { WebhookDeliveryEntity } from './webhook-delivery.entity';

/** A webhook as it came, leased by the process that claimed it. `attempts` does not count this try. */
export interface ClaimedDelivery extends Pick<
  WebhookDeliveryEntity,
  'id' | 'provider' | 'bot_id' | 'body' | 'attempts' | 'received_at'
> {
  /**
   * Whether it failed for so long that it is not tried again: seven days, for which providers repeat webhooks too.
   */
  is_last_try: boolean;
  /** `received_at` as text, with its microseconds and zone. */
  arrived_at: string;
}

/**
 * Stores bodies that came together, each with the time at which it came. Where the address names a bot, the bot must
 * exist; it is searched across accounts, because the address names only the bot.
 */
export const STORE = statement('webhook-delivery-store')
  .takes('providers', 'botIds', 'bodies', 'ages')
  .returns<{ stored: boolean }>(
    `
  WITH given AS MATERIALIZED (
    SELECT g.*, g.bot_id IS NULL OR EXISTS (SELECT 1 FROM bots b WHERE b.id = g.bot_id) AS stored
      FROM unnest(:providers::text[], :botIds::uuid[], :bodies::bytea[], :ages::float8[]) WITH ORDINALITY
        AS g (provider, bot_id, body, age_ms, n)),
  base AS MATERIALIZED (SELECT clock_timestamp() AS now),
  kept AS (
    INSERT INTO webhook_deliveries (provider, bot_id, body, received_at)
    SELECT g.provider, g.bot_id, g.body, base.now - make_interval(secs => g.age_ms / 1000)
      FROM given g CROSS JOIN base WHERE g.stored ORDER BY g.n)
  SELECT stored FROM given ORDER BY n`,
  );

/** One body, which goes as bytes: in an array it would be text of twice its length. */
export const STORE_ALONE = statement('webhook-delivery-store-alone')
  .takes('provider', 'botId', 'body')
  .returns<Pick<WebhookDeliveryEntity, 'id'>>(
    `
  INSERT INTO webhook_deliveries (provider, bot_id, body)
  SELECT :provider::text, :botId::uuid, :body::bytea
   WHERE :botId::uuid IS NULL OR EXISTS (SELECT 1 FROM bots b WHERE b.id = :botId)
  RETURNING id`,
  );

const IS_DUE = `state = 'due' AND due_at <= now() AND (lease_until IS NULL OR lease_until < now())`;
const LEASE_END = 'clock_timestamp() + make_interval(secs => :leaseSeconds::float8)';

/**
 * Claims the oldest that are due. The number of those larger than `largest` bytes is limited. `now()` is the
 * statement's time and, unlike the clock, lets the index end the search.
 */
export const CLAIM_DUE = statement('webhook-delivery-claim-due')
  .takes('leaseToken', 'leaseSeconds', 'limit', 'largest', 'largeLimit')
  .returns<ClaimedDelivery>(
    `
  WITH due AS MATERIALIZED (
    SELECT id, due_at, octet_length(body) > :largest::int AS is_large FROM webhook_deliveries
     WHERE ${IS_DUE} AND (:largeLimit::int > 0 OR octet_length(body) <= :largest)
     ORDER BY due_at, id LIMIT :limit FOR UPDATE SKIP LOCKED),
  chosen AS (
    SELECT id, NOT is_large OR row_number() OVER (PARTITION BY is_large ORDER BY due_at, id) <= :largeLimit AS fits FROM due),
  claimed AS (
    UPDATE webhook_deliveries d SET lease_token = :leaseToken, lease_until = ${LEASE_END}
      FROM chosen c WHERE d.id = c.id AND c.fits
    RETURNING d.id, d.provider, d.bot_id, d.body, d.attempts, d.received_at)
  SELECT id::text, provider, bot_id, body, attempts, received_at, received_at::text AS arrived_at,
         attempts >= 10 AND received_at < now() - interval '7 days' AS is_last_try
    FROM claimed ORDER BY claimed.id`,
  );

export const ANY_DUE = statement('webhook-delivery-any-due').returns<{ due: number }>(
  `SELECT 1 AS due FROM webhook_deliveries WHERE ${IS_DUE} LIMIT 1`,
);

/** Failed are the items that could not be taken in, of whichever webhooks. */
export const BACKLOG = statement('webhook-deliveries-backlog').returns<WorkBacklog>(
  countBacklog(
    `SELECT d.due_at, NOT ${leaseIsFree('d')} AS held FROM webhook_deliveries d
      WHERE d.state = 'due' AND d.due_at <= clock_timestamp()`,
    `SELECT 1 FROM webhook_rejects WHERE created_at > now() - interval '1 hour'`,
  ),
);

export const RENEW = statement('webhook-delivery-renew')
  .takes('ids', 'leaseToken', 'leaseSeconds')
  .returns<Pick<WebhookDeliveryEntity, 'id'>>(
    `UPDATE webhook_deliveries SET lease_until = ${LEASE_END}
      WHERE id = ANY (:ids::bigint[]) AND lease_token = :leaseToken RETURNING id::text`,
  );

export const RELEASE = statement('webhook-delivery-release')
  .takes('id', 'leaseToken')
  .returns<Pick<WebhookDeliveryEntity, 'id'>>(
    `UPDATE webhook_deliveries SET lease_token = NULL, lease_until = NULL
      WHERE id = :id::bigint AND lease_token = :leaseToken RETURNING id::text`,
  );

/** For several at once, each with the token of its claim. */
export const DONE = statement('webhook-delivery-done')
  .takes('ids', 'leaseTokens')
  .returns<Pick<WebhookDeliveryEntity, 'id'>>(
    `UPDATE webhook_deliveries d SET state = 'done', lease_token = NULL, lease_until = NULL
       FROM unnest(:ids::bigint[], :leaseTokens::uuid[]) g (id, lease_token)
      WHERE d.id = g.id AND d.lease_token = g.lease_token RETURNING d.id::text`,
  );

/** After 2, 4, 8 … seconds, at most five minutes. */
export const RETRY_LATER = statement('webhook-delivery-retry-later')
  .takes('id', 'leaseToken')
  .returns<Pick<WebhookDeliveryEntity, 'id'>>(
    `UPDATE webhook_deliveries
        SET attempts = attempts + 1, lease_token = NULL, lease_until = NULL,
            due_at = clock_timestamp() + make_interval(secs => least(300, power(2, least(attempts, 8) + 1)))
      WHERE id = :id::bigint AND lease_token = :leaseToken RETURNING id::text`,
  );

export const PURGE_DONE = statement('webhook-delivery-purge-done')
  .takes('limit')
  .returns<Pick<WebhookDeliveryEntity, 'id'>>(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE state = 'done' AND received_at < now() - interval '7 days'
        ORDER BY received_at LIMIT :limit FOR UPDATE SKIP LOCKED)
     RETURNING id::text`,
  );
