import type { BotChannelEntity } from '../bots/bot-channel.entity';
import type { OrNull } from '../database/row.types';
import { statement } from '../database/sql.statement';
import type { WebhookDeliveryEntity } from './webhook-delivery.entity';
import type { WebhookRejectEntity } from './webhook-reject.entity';

/** Whether bytes contain any of the texts. */
const CONTAINS = (bytes: string): string => `EXISTS (
         SELECT 1 FROM unnest(:needles::text[]) n WHERE position(convert_to(n, 'UTF8') IN ${bytes}) > 0)`;

/** Not of another account's bot. Where the address names none, the body tells whose it is. */
const MAY_BE_OURS = (row: string): string => `(${row}.bot_id IS NULL OR EXISTS (
         SELECT 1 FROM bots b WHERE b.account_id = :accountId AND b.id = ${row}.bot_id))`;

/** A webhook that may be about a customer; `last` is the end of the slice, null behind the newest. */
export type SlicedWebhook = Pick<WebhookDeliveryEntity, 'body'> &
  OrNull<Pick<WebhookDeliveryEntity, 'id'> & { last: string }>;

/** Webhooks have no index over what they contain: they are read in the order of their ids, slice by slice. */
export const SLICE = statement('erasure-webhook-slice').takes('accountId', 'needles', 'after', 'limit')
  .returns<SlicedWebhook>(`
  WITH slice AS MATERIALIZED (
    SELECT id FROM webhook_deliveries WHERE id > :after::bigint ORDER BY id LIMIT :limit)
  SELECT (SELECT max(id)::text FROM slice) AS last, f.id::text, f.body
    FROM (SELECT 1) one LEFT JOIN LATERAL (
      SELECT d.id, d.body FROM slice s JOIN webhook_deliveries d ON d.id = s.id
       WHERE ${MAY_BE_OURS('d')} AND ${CONTAINS('d.body')}) f ON true`);

/** Of which numbers are another account's. */
export const FOREIGN_NUMBERS = statement('erasure-foreign-numbers').takes('accountId', 'words').returns<
  Pick<BotChannelEntity, 'sender'>
>(`
  SELECT DISTINCT c.sender FROM bot_channels c
   WHERE c.sender = ANY (:words::text[]) AND c.account_id <> :accountId AND NOT EXISTS (
     SELECT 1 FROM bot_channels o WHERE o.account_id = :accountId AND o.sender = c.sender)`);

export const WRITE_BODY = statement('erasure-webhook-write')
  .takes('id', 'body')
  .returns('UPDATE webhook_deliveries SET body = :body WHERE id = :id::bigint');

/** One that a process is taking apart keeps its row, for that process marks it as done. */
export const DROP_WEBHOOK = statement('erasure-webhook-drop').takes('id').returns(`
  WITH emptied AS (
    UPDATE webhook_deliveries SET body = '{}' WHERE id = :id::bigint AND lease_until > now())
  DELETE FROM webhook_deliveries WHERE id = :id::bigint AND (lease_until IS NULL OR lease_until <= now())`);

export const REJECTS = statement('erasure-rejects').takes('accountId', 'needles').returns<
  Pick<WebhookRejectEntity, 'id' | 'item'>
>(`
  SELECT r.id, r.item FROM webhook_rejects r
   WHERE (r.account_id = :accountId OR r.account_id IS NULL AND ${MAY_BE_OURS('r')}) AND ${CONTAINS('r.item')}`);

export const DROP_REJECTS = statement('erasure-drop-rejects')
  .takes('ids')
  .returns('DELETE FROM webhook_rejects WHERE id = ANY (:ids::uuid[])');
