import { statement, purgeOf } from '../database/sql.statements';
import { countBacklog, type WorkBacklog, leaseIsFree } from '../work/work.statements';
import type { WebhookDeliveryEntity } from './webhook-delivery.entity';

/** A webhook as it came, leased by the process that claimed it. `attempts` does not count this try. */
export interface ClaimedDelivery extends Pick<
  WebhookDeliveryEntity,
  'id' | 'provider' | 'bot_id' | 'signed_for' | 'body' | 'attempts' | 'received_at' | 'trace'
> {
  /**
   * Whether it failed for so long that it is not tried again: seven days, for which providers repeat webhooks too.
   */
  is_last_try: boolean;
  /** `received_at` as text, with its microseconds and zone. */
  arrived_at: string;
  /** Whether some group had as many as its share of the claim: more of it may be due. */
  more_due: boolean;
}

/**
 * Stores bodies that came together, each with the time at which it came. Where the address names a bot, the bot must
 * exist; it is searched across accounts, because the address names only the bot.
 */
export const STORE = statement('webhook-delivery-store')
  .takes('providers', 'botIds', 'groups', 'signers', 'bodies', 'ages', 'traces')
  .returns<{ stored: boolean }>(
    `
  WITH given AS MATERIALIZED (
    SELECT g.*, g.bot_id IS NULL OR EXISTS (SELECT 1 FROM bots b WHERE b.id = g.bot_id) AS stored
      FROM unnest(:providers::text[], :botIds::uuid[], :groups::text[], :signers::text[], :bodies::bytea[], :ages::float8[],
                  :traces::text[])
        WITH ORDINALITY AS g (provider, bot_id, claim_group, signers, body, age_ms, trace, n)),
  base AS MATERIALIZED (SELECT clock_timestamp() AS now),
  kept AS (
    INSERT INTO webhook_deliveries (provider, bot_id, claim_group, signed_for, body, received_at, trace)
    SELECT g.provider, g.bot_id, g.claim_group, string_to_array(g.signers, ' '), g.body,
           base.now - make_interval(secs => g.age_ms / 1000), g.trace
      FROM given g CROSS JOIN base WHERE g.stored ORDER BY g.n)
  SELECT stored FROM given ORDER BY n`,
  );

/** One body, which goes as bytes: in an array it would be text of twice its length. */
export const STORE_ALONE = statement('webhook-delivery-store-alone')
  .takes('provider', 'botId', 'group', 'signers', 'body', 'trace')
  .returns<Pick<WebhookDeliveryEntity, 'id'>>(
    `
  INSERT INTO webhook_deliveries (provider, bot_id, claim_group, signed_for, body, trace)
  SELECT :provider::text, :botId::uuid, :group::text, string_to_array(:signers::text, ' '), :body::bytea, :trace::text
   WHERE :botId::uuid IS NULL OR EXISTS (SELECT 1 FROM bots b WHERE b.id = :botId)
  RETURNING id`,
  );

/** `now()` is the statement's time and, unlike the clock, lets the index end the search. */
const IS_DUE = `state = 'due' AND due_at <= now() AND (lease_until IS NULL OR lease_until < now())`;
const LEASE_END = 'clock_timestamp() + make_interval(secs => :leaseSeconds::float8)';

/**
 * Claims an equal share of each group's due webhooks, the oldest first. So a number to which thousands wrote at once
 * delays no other. The number of those larger than `largest` bytes is limited. With more groups than slots in a claim
 * the choice among groups is random: by age, the floods would win.
 */
export const CLAIM_DUE = statement('webhook-delivery-claim-due')
  .takes('leaseToken', 'leaseSeconds', 'limit', 'largest', 'largeLimit')
  .returns<ClaimedDelivery>(
    `
  WITH RECURSIVE groups AS (
    (SELECT claim_group FROM webhook_deliveries WHERE ${IS_DUE} ORDER BY claim_group LIMIT 1)
    UNION ALL
    SELECT (SELECT d.claim_group FROM webhook_deliveries d WHERE d.claim_group > g.claim_group AND ${IS_DUE}
             ORDER BY d.claim_group LIMIT 1)
      FROM groups g WHERE g.claim_group IS NOT NULL),
  shares AS MATERIALIZED (
    SELECT claim_group, greatest(1, (:limit::int + groups - 1) / groups) AS share
      FROM (SELECT claim_group, count(*) OVER () AS groups FROM groups WHERE claim_group IS NOT NULL
             ORDER BY random() LIMIT :limit) chosen_groups),
  due AS MATERIALIZED (
    SELECT s.claim_group, s.share, d.* FROM shares s CROSS JOIN LATERAL (
      SELECT id, due_at, octet_length(body) > :largest::int AS is_large FROM webhook_deliveries
       WHERE claim_group = s.claim_group AND ${IS_DUE} AND (:largeLimit::int > 0 OR octet_length(body) <= :largest)
       ORDER BY due_at, id LIMIT s.share FOR UPDATE SKIP LOCKED) d),
  placed AS (
    SELECT d.*, row_number() OVER (PARTITION BY claim_group ORDER BY due_at, id) AS place,
           row_number() OVER (PARTITION BY claim_group, is_large ORDER BY due_at, id) AS place_of_size FROM due d),
  sized AS (
    SELECT p.*, row_number() OVER (PARTITION BY is_large ORDER BY place_of_size, random()) AS size_place FROM placed p),
  chosen AS (
    SELECT id FROM sized WHERE NOT is_large OR size_place <= :largeLimit ORDER BY place, random() LIMIT :limit),
  claimed AS (
    UPDATE webhook_deliveries d SET lease_token = :leaseToken, lease_until = ${LEASE_END}
      FROM chosen c WHERE d.id = c.id
    RETURNING d.id, d.provider, d.bot_id, d.signed_for, d.body, d.attempts, d.received_at, d.trace)
  SELECT id::text, provider, bot_id, signed_for, body, attempts, received_at, trace, received_at::text AS arrived_at,
         attempts >= 10 AND received_at < now() - interval '7 days' AS is_last_try,
         EXISTS (SELECT 1 FROM placed WHERE place = share) AS more_due
    FROM claimed ORDER BY claimed.id`,
  );

export const ANY_DUE = statement('webhook-delivery-any-due').returns<{ due: number }>(
  `SELECT 1 AS due FROM webhook_deliveries WHERE ${IS_DUE} LIMIT 1`,
);

/** Failed are the items that could not be taken in, of whichever webhooks. */
export const BACKLOG = statement('webhook-deliveries-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT NULL::uuid AS account_id, d.due_at, NOT ${leaseIsFree('d')} AS held FROM webhook_deliveries d
      WHERE d.state = 'due' AND d.due_at <= clock_timestamp()`,
      `SELECT account_id FROM webhook_rejects WHERE created_at > now() - interval '1 hour'`,
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
  .returns(
    purgeOf('webhook_deliveries', {
      // OFFSET keeps the planner from a join, for which it would read both tables.
      where: `o.state = 'done' AND o.received_at < now() - interval '7 days'
       AND NOT EXISTS (SELECT FROM webhook_rejects r WHERE r.delivery_id = o.id OFFSET 0)`,
      by: 'received_at',
    }),
  );

/** Marks by which a repeated report is recognised. They are kept twice as long as providers repeat a webhook. */
export const PURGE_MARKS = statement('webhook-mark-purge')
  .takes('limit')
  .returns(
    purgeOf('webhook_marks', { where: `o.created_at < now() - interval '14 days'`, by: 'created_at' }),
  );
