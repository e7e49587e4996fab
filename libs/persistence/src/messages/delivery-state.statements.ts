import { DECIDING, recount, takeUpOnceMore } from '../threads/thread.rules';
import type { PreparedStatement } from '../database/database.service';

/** The order of states: a report only moves a message forward. `accepted` means that the provider has accepted it. */
const rank = (state: string): string =>
  `CASE ${state} WHEN 'accepted' THEN 2 WHEN 'sent' THEN 2 WHEN 'failed' THEN 3 WHEN 'delivered' THEN 4 WHEN 'read' THEN 5
        WHEN 'sending' THEN 1 WHEN 'unknown' THEN 1 ELSE 0 END`;

const ours = (condition: string): string =>
  `SELECT id FROM messages WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND ${condition}`;

/**
 * Applies one report to the message of ours that it means: found by our reference, else by the provider's id, else by
 * WhatsApp's.
 *
 * The dialog is locked first, then the message. What decides is read from the locked message: what was reported or
 * stored before. A report that brings nothing new changes nothing, not even a version.
 *
 * Each state keeps its earliest time. The provider's clock shows whole seconds, so an acceptance that we saw ourselves
 * is not moved within its second, and no time is before the message's own. A message that has failed no longer counts as an
 * answer.
 *
 * $1 account $2 bot $3 channel $4 reference $5 the provider's id $6 WhatsApp's id $7 state $8 when, null: now $9 $10
 * $11 a failure's code, sentence and number. No row: no such message.
 */
export const REPORT: PreparedStatement = {
  name: 'delivery-state-report',
  text: `
  WITH found AS MATERIALIZED (
    SELECT id, thread_id FROM messages WHERE account_id = $1 AND id = coalesce(
      (${ours('id = $4::uuid AND NOT inbound')}),
      (${ours('provider_id = $5::text AND provider_id IS NOT NULL AND NOT inbound ORDER BY id DESC LIMIT 1')}),
      (${ours('whatsapp_id = $6::text AND NOT inbound ORDER BY id DESC LIMIT 1')}))),
  cur AS MATERIALIZED (
    SELECT id, assistant_id, version, (SELECT id FROM found) AS message_id FROM threads
     WHERE account_id = $1 AND id = (SELECT thread_id FROM found) FOR NO KEY UPDATE),
  was AS MATERIALIZED (
    SELECT id, status, batch_id, created_at, provider_id, whatsapp_id, accepted_at, delivered_at, read_at, failed_at, error_code,
           error_message, provider_code
      FROM messages WHERE account_id = $1 AND id = (SELECT message_id FROM cur) FOR NO KEY UPDATE),
  timed AS MATERIALIZED (
    SELECT w.*, t.now, least(coalesce($8::timestamptz, t.now), t.now) AS at,
           CASE WHEN $7::text = 'accepted' THEN CASE WHEN w.status IN ('queued', 'unknown') THEN 'sent' ELSE w.status END
                WHEN ${rank('$7::text')} > ${rank('w.status')} THEN $7::text ELSE w.status END AS status_now
      FROM was w CROSS JOIN LATERAL (SELECT clock_timestamp() AS now) t),
  after AS MATERIALIZED (
    SELECT w.id, w.now, w.status_now AS status,
           coalesce(w.provider_id, $5::text) AS provider_id, coalesce(w.whatsapp_id, $6::text) AS whatsapp_id,
           CASE WHEN $7::text <> 'failed' AND coalesce(date_trunc('second', w.accepted_at) > w.at, true)
                  THEN least(w.accepted_at, greatest(w.at, w.created_at)) ELSE w.accepted_at END AS accepted_at,
           CASE WHEN $7::text IN ('delivered', 'read') THEN least(w.delivered_at, w.at) ELSE w.delivered_at END AS delivered_at,
           CASE WHEN $7::text = 'read' THEN least(w.read_at, w.at) ELSE w.read_at END AS read_at,
           CASE WHEN $7::text = 'failed' THEN least(w.failed_at, w.at) ELSE w.failed_at END AS failed_at,
           CASE WHEN w.status_now = w.status THEN w.error_code WHEN w.status_now = 'failed' THEN $9::text END AS error_code,
           CASE WHEN w.status_now = w.status THEN w.error_message WHEN w.status_now = 'failed' THEN $10::text END AS error_message,
           CASE WHEN w.status_now = w.status THEN w.provider_code WHEN w.status_now = 'failed' THEN $11::int END AS provider_code
      FROM timed w),
  changed AS (
    UPDATE messages m
       SET status = a.status, provider_id = a.provider_id, whatsapp_id = a.whatsapp_id, accepted_at = a.accepted_at,
           delivered_at = a.delivered_at, read_at = a.read_at, failed_at = a.failed_at, error_code = a.error_code,
           error_message = a.error_message, provider_code = a.provider_code,
           -- What was answered before is about another error than the reported one.
           provider_response = CASE WHEN a.status = 'failed' AND w.status <> 'failed' THEN NULL ELSE m.provider_response END
      FROM after a JOIN was w ON w.id = a.id
     WHERE m.account_id = $1 AND m.id = a.id
       AND (a.status, a.provider_id, a.whatsapp_id, a.accepted_at, a.delivered_at, a.read_at, a.failed_at)
           IS DISTINCT FROM (w.status, w.provider_id, w.whatsapp_id, w.accepted_at, w.delivered_at, w.read_at, w.failed_at)
    RETURNING m.id, w.status AS was, m.status, m.created_at, a.now,
              (a.provider_id, a.whatsapp_id) IS DISTINCT FROM (w.provider_id, w.whatsapp_id) AS identified),
  moved AS (
    UPDATE threads t
       SET version = t.version + 1,
           answer_count = ${recount('t', 'changed.created_at', 'changed.was', 'changed.status')}
      FROM cur c CROSS JOIN changed
     WHERE t.account_id = $1 AND t.id = c.id
    RETURNING t.id, t.assistant_id, t.version, changed.id AS message_id, changed.status, changed.now, changed.now AS at,
              ${DECIDING('t')}),
  taken_up AS (${takeUpOnceMore(`(SELECT * FROM moved WHERE status = 'failed')`)}),
  logged AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, id, assistant_id, version, 'message_state', now,
           jsonb_build_object('by', 'PROVIDER', 'actor', null, 'message_id', message_id, 'to', status) FROM moved
    RETURNING seq)
  SELECT c.message_id AS "messageId", c.id AS "threadId", (SELECT seq FROM logged)::float8 AS seq,
         coalesce((SELECT identified FROM changed), false) AS identified,
         (SELECT provider_id FROM after) AS "providerId", (SELECT whatsapp_id FROM after) AS "whatsappId",
         (SELECT status FROM after) AS status, (SELECT batch_id FROM was) AS "batchId"
    FROM cur c`,
};

/** $1 account $2 bot $3 channel $4 id $5 state $6 report */
export const PARK: PreparedStatement = {
  name: 'delivery-state-park',
  text: `
  INSERT INTO parked_states (account_id, bot_id, channel, provider_id, state, body) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id, bot_id, channel, provider_id, state) DO NOTHING`,
};

/** $1 account $2 bot $3 channel $4 ids */
export const PARKED: PreparedStatement = {
  name: 'delivery-state-parked',
  text: `
  SELECT id::text AS id, body, coalesce((body ->> 'at')::timestamptz, created_at) AS at FROM parked_states
   WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND provider_id = ANY ($4::text[]) ORDER BY id`,
};

/** $1 account $2 ids */
export const UNPARK: PreparedStatement = {
  name: 'delivery-state-unpark',
  text: `DELETE FROM parked_states WHERE account_id = $1 AND id = ANY ($2::bigint[])`,
};

/**
 * Looks at reports that wait for their message: a second after each came, and then whenever it is three times as old,
 * for a quarter of an hour. A report and its message come together, so one that has waited longer waits for a message
 * that nobody of us sent, as where somebody else sends by the same number. $1 how many at most
 */
export const LOOK_AT_PARKED: PreparedStatement = {
  name: 'delivery-state-look-at-parked',
  text: `
  WITH due AS MATERIALIZED (
    SELECT account_id, id FROM parked_states WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  looked AS (
    UPDATE parked_states p
       SET next_check_at = CASE WHEN p.created_at > now() - interval '15 minutes' THEN now() + 2 * (now() - p.created_at) END
      FROM due WHERE p.account_id = due.account_id AND p.id = due.id
    RETURNING p.account_id, p.bot_id, p.channel, p.provider_id)
  SELECT l.account_id AS "accountId", l.bot_id AS "botId", l.channel, l.provider_id AS "providerId",
         EXISTS (SELECT 1 FROM messages m WHERE m.account_id = l.account_id AND m.bot_id = l.bot_id AND m.channel = l.channel
                    AND m.provider_id = l.provider_id AND m.provider_id IS NOT NULL AND NOT m.inbound)
      OR EXISTS (SELECT 1 FROM messages m WHERE m.account_id = l.account_id AND m.bot_id = l.bot_id AND m.channel = l.channel
                    AND m.whatsapp_id = l.provider_id) AS known
    FROM looked l`,
};

/** Twice as long as providers repeat what was not acknowledged. $1 how many at most */
export const PURGE_PARKED: PreparedStatement = {
  name: 'delivery-state-purge-parked',
  text: `
  DELETE FROM parked_states WHERE (account_id, id) IN (
    SELECT account_id, id FROM parked_states WHERE created_at < now() - interval '14 days'
     ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1`,
};
