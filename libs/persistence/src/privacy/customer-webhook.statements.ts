import type { BotChannelEntity } from '../bots/bot.entity';
import type { AsText, OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { WebhookDeliveryEntity, WebhookRejectEntity } from '../webhooks/webhook-delivery.entity';

/** Whether bytes contain any of the texts. */
const CONTAINS = (bytes: string, texts = ':needles::text[]'): string => `EXISTS (
         SELECT 1 FROM unnest(${texts}) n WHERE position(convert_to(n, 'UTF8') IN ${bytes}) > 0)`;

/** Bytes of a slice, but for its last row. To look for some words in them takes some tenths of a second. */
const SLICE_BYTES = 8 * 1024 * 1024;

/**
 * The first of some rows, as many as have the bytes of a slice: bodies have some hundred bytes, or 3 MiB. Rows of one
 * place stay together.
 * @param rows with the size of what is read of them, 0 for those of which nothing is
 * @param place by which they are ordered
 */
const bounded = (rows: string, place: string): string => `
    SELECT * FROM (
      SELECT r.*, sum(r.size) OVER (ORDER BY ${place}) - sum(r.size) OVER (PARTITION BY ${place}) AS bytes_before
        FROM (${rows}) r) b
     WHERE bytes_before < ${SLICE_BYTES}`;

const NAMES = ':names::text[]';

/** Not of another account's bot. Where the address names none, the body tells whose it is. */
const MAY_BE_OURS = (row: string): string => `(${row}.bot_id IS NULL OR EXISTS (
         SELECT 1 FROM bots b WHERE b.account_id = :accountId AND b.id = ${row}.bot_id))`;

const REJECT_MAY_BE_OURS = `(r.account_id = :accountId OR r.account_id IS NULL AND ${MAY_BE_OURS('r')})`;

/**
 * A webhook that may be about a customer. `last` is the end of the slice, null behind the newest; `settled` the last one
 * that came more than a minute before.
 */
export type SlicedWebhook = OrNull<
  Pick<WebhookDeliveryEntity, 'id' | 'body'> & { hash: Buffer; last: string; settled: string }
>;

/** What is read of a webhook `d`. */
const SIZE = `CASE WHEN ${MAY_BE_OURS('d')} THEN octet_length(d.body) ELSE 0 END`;

/**
 * Webhooks have no index over what they contain: they are read in the order of their ids, slice by slice. Ids become
 * visible in any order, within the time limit of a statement: nothing below `settled` is to come.
 */
export const SLICE = statement('erasure-webhook-slice').takes(
  'accountId',
  'needles',
  'after',
  'keepsDue',
  'limit',
).returns<SlicedWebhook>(`
  WITH slice AS MATERIALIZED (${bounded(
    `SELECT d.id, d.received_at, ${SIZE} AS size FROM webhook_deliveries d WHERE d.id > :after::bigint ORDER BY d.id LIMIT :limit`,
    'id',
  )})
  SELECT e.last, e.settled, f.id::text, f.body, f.hash
    FROM (SELECT max(id)::text AS last, max(id) FILTER (WHERE received_at < now() - interval '1 minute')::text AS settled
            FROM slice) e
    LEFT JOIN LATERAL (
      SELECT d.id, d.body, sha256(d.body) AS hash FROM slice s JOIN webhook_deliveries d ON d.id = s.id
       WHERE s.size > 0 AND ${CONTAINS('d.body')} AND NOT (:keepsDue::boolean AND d.state = 'due')) f ON true`);

/** Of which numbers are another account's. */
export const FOREIGN_NUMBERS = statement('erasure-foreign-numbers').takes('accountId', 'words').returns<
  Pick<BotChannelEntity, 'sender'>
>(`
  SELECT DISTINCT c.sender FROM bot_channels c
   WHERE c.sender = ANY (:words::text[]) AND c.account_id <> :accountId AND NOT EXISTS (
     SELECT 1 FROM bot_channels o WHERE o.account_id = :accountId AND o.sender = c.sender)`);

/** A body that another erasure has changed meanwhile stays, and no row is returned: it is to be read again. */
const SAME_BODY = 'id = :id::bigint AND sha256(body) = :hash::bytea';

/** Whoever takes the webhook in has it no more, and what is left is taken in again. */
export const WRITE_BODY = statement('erasure-webhook-write').takes('id', 'hash', 'body').returns<
  Pick<WebhookDeliveryEntity, 'id'>
>(`
  UPDATE webhook_deliveries SET body = :body, lease_token = NULL, lease_until = NULL WHERE ${SAME_BODY} RETURNING id::text`);

export const DROP_WEBHOOK = statement('erasure-webhook-drop').takes('id', 'hash').returns<
  Pick<WebhookDeliveryEntity, 'id'>
>(`
  DELETE FROM webhook_deliveries WHERE ${SAME_BODY} RETURNING id::text`);

const HELD = 'id = :id::bigint AND lease_token = :heldBy::uuid';

/** By whoever takes the webhook in, and goes on holding it. */
export const WRITE_HELD = statement('held-webhook-write').takes('id', 'heldBy', 'body').returns(`
  UPDATE webhook_deliveries SET body = :body WHERE ${HELD}`);

export const DROP_HELD = statement('held-webhook-drop')
  .takes('id', 'heldBy')
  .returns(`DELETE FROM webhook_deliveries WHERE ${HELD}`);

/** A place among the webhooks that are not taken in yet. Its time has its microseconds, and only ever becomes later. */
export type DuePlace = Pick<WebhookDeliveryEntity, 'claim_group' | 'id'> &
  AsText<Pick<WebhookDeliveryEntity, 'due_at'>>;

/** A webhook that may be about a customer, and the last row of the slice. */
export type SlicedDue = DuePlace & { found: string | null };

/** In the order of the index of those that are not taken in yet. Nothing is returned behind the last one. */
export const DUE_SLICE = statement('erasure-due-slice').takes(
  'accountId',
  'needles',
  'claim_group',
  'due_at',
  'id',
  'limit',
).returns<SlicedDue>(`
  WITH slice AS MATERIALIZED (${bounded(
    `SELECT d.claim_group, d.due_at, d.id, ${SIZE} AS size FROM webhook_deliveries d
      WHERE d.state = 'due' AND (d.claim_group, d.due_at, d.id) > (:claim_group::text, :due_at::timestamptz, :id::bigint)
      ORDER BY d.claim_group, d.due_at, d.id LIMIT :limit`,
    'claim_group, due_at, id',
  )})
  SELECT e.claim_group, e.due_at::text, e.id::text, f.id::text AS found
    FROM (SELECT * FROM slice ORDER BY claim_group DESC, due_at DESC, id DESC LIMIT 1) e
    LEFT JOIN LATERAL (
      SELECT d.id FROM slice s JOIN webhook_deliveries d ON d.id = s.id WHERE s.size > 0 AND ${CONTAINS('d.body')}) f ON true`);

export const STILL_DUE = statement('erasure-still-due').takes('ids').returns<
  Pick<WebhookDeliveryEntity, 'id'>
>(`
  SELECT id::text FROM webhook_deliveries WHERE id = ANY (:ids::bigint[]) AND state = 'due'`);

/** A reject that may be about a customer, the last row of the slice, and from when others may come. */
export type SlicedRejectOfCustomer = OrNull<Pick<WebhookRejectEntity, 'id' | 'item'>> & {
  last_webhook: string;
  last_id: string;
  since: string;
};

/** Rejects that came after a time, in an order that stays. Nothing is returned behind the last one. */
export const REJECT_SLICE = statement('erasure-reject-slice').takes(
  'accountId',
  'needles',
  'since',
  'lastWebhook',
  'lastId',
  'limit',
).returns<SlicedRejectOfCustomer>(`
  WITH slice AS MATERIALIZED (${bounded(
    `SELECT r.delivery_id, r.id, CASE WHEN ${REJECT_MAY_BE_OURS} THEN octet_length(r.item) ELSE 0 END AS size
       FROM webhook_rejects r
      WHERE r.created_at > :since::timestamptz AND (r.delivery_id, r.id) > (:lastWebhook::bigint, :lastId::uuid)
      ORDER BY r.delivery_id, r.id LIMIT :limit`,
    'delivery_id, id',
  )})
  SELECT e.delivery_id::text AS last_webhook, e.id AS last_id, (now() - interval '1 minute')::text AS since, f.*
    FROM (SELECT * FROM slice ORDER BY delivery_id DESC, id DESC LIMIT 1) e
    LEFT JOIN LATERAL (
      SELECT r.id, r.item FROM slice s JOIN webhook_rejects r ON r.id = s.id
       WHERE s.size > 0 AND ${CONTAINS('r.item')}) f ON true`);

export type NamingReject = Pick<WebhookRejectEntity, 'id' | 'item' | 'delivery_id'>;

/**
 * What could not be taken in and has one of some names in it, or in its webhook. Each webhook is searched once.
 * @param slice of `webhook_rejects`, of which nobody has an index over what they contain: their ids
 */
const NAMING = (slice: string): string => `
  slice AS MATERIALIZED (${slice}),
  ours AS MATERIALIZED (
    SELECT r.id, r.delivery_id, ${CONTAINS('r.item', NAMES)} AS is_naming
      FROM webhook_rejects r WHERE r.id = ANY (ARRAY(SELECT id FROM slice)) AND ${REJECT_MAY_BE_OURS}),
  bodies AS MATERIALIZED (
    SELECT d.id FROM webhook_deliveries d
     WHERE d.id IN (SELECT delivery_id FROM ours) AND ${CONTAINS('d.body', NAMES)}),
  naming AS MATERIALIZED (
    SELECT r.id, r.item, r.delivery_id::text FROM ours o JOIN webhook_rejects r ON r.id = o.id
     WHERE o.is_naming OR o.delivery_id IN (SELECT id FROM bodies))`;

/** `last` is the end of the slice, null behind the newest. All of a webhook are in one slice. `since`: from when others may come. */
export type SlicedReject = OrNull<NamingReject & { last: string }> & { since: string };

export const NAMING_SLICE = statement('erasure-naming-slice').takes('accountId', 'names', 'after', 'limit')
  .returns<SlicedReject>(`
  WITH ${NAMING(
    bounded(
      `SELECT r.id, r.delivery_id AS webhook,
           CASE WHEN ${REJECT_MAY_BE_OURS} THEN octet_length(r.item)
             + coalesce((SELECT octet_length(d.body) FROM webhook_deliveries d WHERE d.id = r.delivery_id), 0) ELSE 0 END AS size
         FROM webhook_rejects r WHERE r.delivery_id > :after::bigint
        ORDER BY r.delivery_id FETCH FIRST (:limit::int) ROWS WITH TIES`,
      'webhook',
    ),
  )}
  SELECT e.last, (now() - interval '1 minute')::text AS since, n.*
    FROM (SELECT max(webhook)::text AS last FROM slice) e LEFT JOIN naming n ON true`);

/** Those of some ids that are still there, and newer ones. */
export const NAMING_SINCE = statement('erasure-naming-since').takes('accountId', 'names', 'ids', 'since')
  .returns<NamingReject>(`
  WITH ${NAMING(`
    SELECT id FROM webhook_rejects WHERE created_at > :since::timestamptz UNION SELECT unnest(:ids::uuid[])`)}
  SELECT * FROM naming ORDER BY delivery_id`);

export const WEBHOOK = statement('erasure-webhook').takes('id').returns<
  Pick<WebhookDeliveryEntity, 'body'> & { hash: Buffer }
>(`
  SELECT body, sha256(body) AS hash FROM webhook_deliveries WHERE id = :id::bigint`);

export const DROP_REJECTS = statement('erasure-drop-rejects')
  .takes('ids')
  .returns('DELETE FROM webhook_rejects WHERE id = ANY (:ids::uuid[])');
