import type { PreparedStatement } from '../database/database.service';
import { previewOf } from './message.preview';

/** The month in which a transaction began, UTC. Its quota counts there. */
const MONTH = `date_trunc('month', transaction_timestamp() AT TIME ZONE 'UTC')::date`;

/**
 * Opens the dialogs that are not open yet, as they stand with their first messages, in the order of their contacts, so
 * that two at once wait for one another and never in a circle.
 * $1 account $2 bot $3 channel $4 agent $5 role $6 ids $7 contacts $8 phones $9 how many messages each gets $10 the text
 * of the last
 */
export const OPEN_THREADS: PreparedStatement = {
  name: 'outbox-open-threads',
  text: `
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at)
  INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, version, last_message_role,
                       last_message_text, last_message_at, created_at, last_activity_at, last_outbound_at)
  SELECT $1, o.id, $4, $2, $3, o.contact, o.phone, 1 + o.messages, $5, ${previewOf('o.text')}, c.at, c.at, c.at, c.at
    FROM unnest($6::uuid[], $7::text[], $8::text[], $9::int[], $10::text[]) o (id, contact, phone, messages, text)
   CROSS JOIN clock c ORDER BY o.contact COLLATE "C"
  ON CONFLICT (account_id, bot_id, channel, contact) DO NOTHING
  RETURNING id, contact`,
};

/**
 * Writes messages into their dialogs, in the order asked, and tells the log. The dialogs are locked in the order of
 * their ids; those that this transaction has just opened are its own and need nothing more. A duplicate is kept as what
 * it is and changes nothing of its dialog.
 * $1 account $2 bot $3 channel $4 agent $5 messages $6 dialogs just opened $7 their contacts $8 role $9 actor $10 batch
 * $11 claim token, null for messages that wait in a send queue $12 the claim's milliseconds $13 contacts of the dialogs that
 * were open before
 */
export const STORE_MESSAGES: PreparedStatement = {
  name: 'outbox-store-messages',
  text: `
  WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($5::jsonb)
      AS g (n integer, id uuid, contact text, recipient text, type text, text text, content jsonb, duplicate boolean)),
  opened AS MATERIALIZED (SELECT * FROM unnest($6::uuid[], $7::text[]) o (id, contact)),
  locked AS MATERIALIZED (
    SELECT id, contact, assistant_id, version FROM threads
     WHERE account_id = $1 AND bot_id = $2 AND channel = $3
       AND contact = ANY ($13::text[])
     ORDER BY id FOR NO KEY UPDATE),
  dialogs AS MATERIALIZED (
    SELECT id, contact, assistant_id, version, false AS is_new FROM locked
    UNION ALL SELECT id, contact, $4, 1, true FROM opened),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM locked) l),
  placed AS MATERIALIZED (
    SELECT g.*, d.id AS thread_id, d.assistant_id, d.version AS base, d.is_new, c.at,
           sum(CASE WHEN g.duplicate THEN 0 ELSE 1 END) OVER (PARTITION BY d.id ORDER BY g.n)::int AS place
      FROM given g JOIN dialogs d ON d.contact = g.contact CROSS JOIN clock c),
  newest AS (
    SELECT DISTINCT ON (thread_id) thread_id, place, text, at, at + n * interval '1 microsecond' AS created_at FROM placed
     WHERE NOT duplicate AND NOT is_new ORDER BY thread_id, n DESC),
  touched AS (
    UPDATE threads t
       SET version = t.version + w.place, last_message_role = $8, last_message_text = ${previewOf('w.text')},
           last_message_at = w.at, last_activity_at = w.at, last_outbound_at = w.created_at,
           answer_count = t.answer_count + w.place
      FROM newest w WHERE t.account_id = $1 AND t.id = w.thread_id),
  stored AS (
    INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, type, text, content, recipient, status,
                          error_code, error_message, batch_id, batch_index, due_at, attempts, claim_token, claim_until,
                          quota_month, created_at, failed_at)
    SELECT $1, p.id, p.thread_id, $2, $3, $8, p.type, p.text, p.content, p.recipient,
           CASE WHEN p.duplicate THEN 'failed' WHEN $11::uuid IS NULL THEN 'queued' ELSE 'sending' END,
           CASE WHEN p.duplicate THEN 'DUPLICATE' END,
           CASE WHEN p.duplicate THEN 'The batch has the same message for this phone already.' END,
           $10, CASE WHEN $10::uuid IS NOT NULL THEN p.n END,
           -- In the order asked.
           CASE WHEN NOT p.duplicate AND $11::uuid IS NULL THEN p.at + p.n * interval '1 microsecond' END,
           CASE WHEN NOT p.duplicate AND $11::uuid IS NOT NULL THEN 1 ELSE 0 END,
           CASE WHEN NOT p.duplicate THEN $11::uuid END,
           CASE WHEN NOT p.duplicate AND $11::uuid IS NOT NULL THEN p.at + make_interval(secs => $12::float8 / 1000) END,
           CASE WHEN NOT p.duplicate THEN ${MONTH} END,
           p.at + p.n * interval '1 microsecond', CASE WHEN p.duplicate THEN p.at END
      FROM placed p),
  logged AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, e.thread_id, e.assistant_id, e.version, e.type, e.at, e.body FROM (
      SELECT d.id AS thread_id, d.assistant_id, d.version, 'opened' AS type, c.at,
             jsonb_build_object('by', $8::text, 'actor', $9::jsonb) AS body
        FROM dialogs d CROSS JOIN clock c WHERE d.is_new
      UNION ALL
      SELECT p.thread_id, p.assistant_id, p.base + p.place, 'message', p.at,
             jsonb_build_object('by', $8::text, 'actor', $9::jsonb, 'message_id', p.id)
        FROM placed p WHERE NOT p.duplicate) e
     ORDER BY e.thread_id, e.version)
  SELECT p.id, p.thread_id,
         (SELECT extract(epoch FROM b.paused_until - c.at) * 1000 FROM bot_channels b CROSS JOIN clock c
           WHERE b.account_id = $1 AND b.bot_id = $2 AND b.channel = $3 AND b.paused_until > c.at)::float8 AS paused_ms
    FROM placed p ORDER BY p.n`,
};

/**
 * An operator's words in an open dialog: claimed at once, and a takeover with them. Off stays off.
 * $1 account $2 thread $3 agents $4 message $5 text $6 content $7 actor $8 claim token $9 the claim's milliseconds
 */
export const STORE_TEXT: PreparedStatement = {
  name: 'outbox-store-text',
  text: `
  WITH cur AS MATERIALIZED (
    SELECT id, assistant_id, bot_id, channel, contact, phone, user_id, version, ai_enabled, takeover_until
      FROM threads WHERE account_id = $1 AND id = $2 AND assistant_id = ANY ($3::uuid[]) FOR NO KEY UPDATE),
  timed AS MATERIALIZED (
    SELECT cur.*, clock_timestamp() AS at, cur.ai_enabled AND coalesce(cur.takeover_until <= clock_timestamp(), true) AS was_ai
      FROM cur),
  touched AS (
    UPDATE threads t
       SET version = t.version + CASE WHEN d.was_ai THEN 2 ELSE 1 END, last_message_role = 'OPERATOR',
           last_message_text = ${previewOf('$5::text')},
           last_message_at = d.at, last_activity_at = d.at, last_outbound_at = d.at, answer_count = t.answer_count + 1,
           unread_count = 0, ai_epoch = t.ai_epoch + 1, attention = NULL,
           takeover_until = CASE WHEN t.ai_enabled THEN d.at + make_interval(mins => (
             SELECT a.auto_return_minutes FROM assistants a WHERE a.account_id = $1 AND a.id = t.assistant_id)) END
      FROM timed d WHERE t.account_id = $1 AND t.id = d.id
    RETURNING t.id, t.assistant_id, d.version, d.at, d.was_ai),
  stored AS (
    INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, type, text, content, recipient, status,
                          attempts, claim_token, claim_until, created_at)
    SELECT $1, $4, d.id, d.bot_id, d.channel, 'OPERATOR', 'text', $5, $6::jsonb, coalesce(d.phone, d.user_id, d.contact),
           'sending', 1, $8::uuid, d.at + make_interval(secs => $9::float8 / 1000), d.at
      FROM timed d RETURNING id),
  logged AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, t.id, t.assistant_id, t.version + e.step, e.type, t.at,
           jsonb_build_object('by', 'OPERATOR', 'actor', $7::jsonb) || e.body
      FROM touched t CROSS JOIN LATERAL (
        SELECT 1 AS step, 'message' AS type, jsonb_build_object('message_id', $4::uuid) AS body
        UNION ALL
        SELECT 2, 'handler', jsonb_build_object('from', 'AI', 'to', 'OPERATOR') WHERE t.was_ai) e
     ORDER BY e.step
    RETURNING seq)
  SELECT d.id AS thread_id, d.bot_id, d.channel, coalesce(d.phone, d.user_id, d.contact) AS recipient, d.phone,
         (SELECT extract(epoch FROM b.paused_until - d.at) * 1000 FROM bot_channels b
           WHERE b.account_id = $1 AND b.bot_id = d.bot_id AND b.channel = d.channel AND b.paused_until > d.at)::float8 AS paused_ms
    FROM timed d`,
};

/** $1 account $2 id $3 bot $4 channel $5 total $6 the lowest id of its messages $7 the highest */
export const STORE_BATCH: PreparedStatement = {
  name: 'outbox-store-batch',
  text: `
  INSERT INTO batches (account_id, id, bot_id, channel, total, first_message_id, last_message_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};

/** Reserves all or nothing, in the month of the transaction. $1 account $2 recipients. No row: it does not fit. */
export const RESERVE_QUOTA: PreparedStatement = {
  name: 'outbox-reserve-quota',
  text: `
  INSERT INTO quota_usage AS q (account_id, month, used)
  SELECT a.id, ${MONTH}, $2::int FROM accounts a
   WHERE a.id = $1 AND $2::int <= coalesce(a.monthly_message_quota, 2147483647)
  ON CONFLICT (account_id, month) DO UPDATE SET used = q.used + excluded.used
    WHERE q.used::bigint + excluded.used
          <= (SELECT coalesce(a.monthly_message_quota, 2147483647) FROM accounts a WHERE a.id = $1)
  RETURNING used`,
};

/** $1 account $2 operation $3 key $4 fingerprint $5 message $6 batch. No row: the key is known, and not forgotten yet. */
export const KEEP_KEY: PreparedStatement = {
  name: 'outbox-keep-key',
  text: `
  INSERT INTO idempotency_keys AS k (account_id, operation, key, fingerprint, message_id, batch_id)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id, operation, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, message_id = excluded.message_id, batch_id = excluded.batch_id,
        answer = NULL, created_at = clock_timestamp()
    WHERE k.created_at < clock_timestamp() - interval '24 hours'
  RETURNING 1 AS kept`,
};
