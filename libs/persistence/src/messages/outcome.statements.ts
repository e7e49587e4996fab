import { isConnected } from '../bots/connection.rules';
import { countsAsAnswer, DECIDING, standsBehind, takeUpOnceMore } from '../threads/thread.rules';
import type { PreparedStatement } from '../database/database.service';
import { IN_BATCH } from './batch.messages';

/**
 * The outcome of claimed messages: changes the messages, their dialogs, the log and the quota. The dialogs are locked
 * first, in the order of their ids, then the messages, then the quota; this order is the same everywhere. A message
 * that a webhook has moved on meanwhile keeps its state and gets the provider's id. `queued` is for messages of which
 * no byte left. Quota is given back once: such a message then counts in no month.
 * @param given a SELECT of account_id, id, token, status, provider_id, wa_id, error_code, error_message,
 * provider_code, response, due_ms, gives_back
 * @param claimed the messages concerned
 * @param mayStand the same, with the states in which the outcome applies; checked again when the message is locked
 */
const settle = (given: string, claimed: string, mayStand = claimed): string => `
  WITH given AS MATERIALIZED (${given}),
  mine AS MATERIALIZED (
    SELECT g.*, m.thread_id, m.quota_month, m.created_at
      FROM given g JOIN messages m ON m.account_id = g.account_id AND m.id = g.id AND ${claimed}),
  -- With what the dialog is once it is locked, so that no later step has to look among the dialogs of the others.
  locked AS MATERIALIZED (
    SELECT g.*, t.version AS base, t.assistant_id, t.last_inbound_at
      FROM mine g JOIN threads t ON t.account_id = g.account_id AND t.id = g.thread_id
     ORDER BY t.account_id, t.id FOR NO KEY UPDATE OF t),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM locked) l),
  settled AS (
    UPDATE messages m
       SET status = CASE WHEN m.status IN ('queued', 'sending', 'unknown') THEN g.status ELSE m.status END,
           due_at = CASE WHEN g.status = 'queued' THEN c.at + make_interval(secs => g.due_ms / 1000) END,
           claim_token = CASE WHEN g.status = 'unknown' THEN m.claim_token END,
           claim_until = CASE WHEN g.status = 'unknown' THEN m.claim_until END,
           send_permit_until = NULL,
           provider_id = coalesce(g.provider_id, m.provider_id),
           -- Of one that has failed meanwhile it would stand beside another error.
           provider_response = CASE WHEN m.status = 'failed' THEN m.provider_response
                                    ELSE coalesce(g.response, m.provider_response) END,
           accepted_at = CASE WHEN g.status = 'sent' THEN least(m.accepted_at, c.at) ELSE m.accepted_at END,
           failed_at = CASE WHEN g.status = 'failed' THEN coalesce(m.failed_at, c.at) ELSE m.failed_at END,
           error_code = CASE WHEN m.status IN ('queued', 'sending', 'unknown') THEN g.error_code ELSE m.error_code END,
           error_message = CASE WHEN m.status IN ('queued', 'sending', 'unknown') THEN g.error_message ELSE m.error_message END,
           provider_code = CASE WHEN m.status IN ('queued', 'sending', 'unknown') THEN g.provider_code ELSE m.provider_code END,
           quota_month = CASE WHEN g.gives_back THEN NULL ELSE m.quota_month END
      FROM locked g CROSS JOIN clock c
     WHERE m.account_id = g.account_id AND m.id = g.id AND ${mayStand}
    RETURNING m.account_id, m.id, m.thread_id, m.status, g.status AS told,
              -- One that has failed by a report stopped counting then.
              NOT ${countsAsAnswer('m.status')} AND (m.status = 'dropped' OR m.failed_at = c.at) AS stops_counting, g.wa_id, g.gives_back,
              g.quota_month AS counted_in, g.created_at AS stored_at, c.at, g.base, g.assistant_id, g.last_inbound_at),
  numbered AS (
    SELECT s.*, row_number() OVER (PARTITION BY s.account_id, s.thread_id ORDER BY s.stored_at, s.id) AS place
      FROM settled s WHERE s.told <> 'queued'),
  changes AS (
    SELECT n.account_id, n.thread_id, max(n.place) AS places, max(n.at) AS at, max(n.wa_id) AS wa_id,
           count(*) FILTER (WHERE n.stops_counting AND ${standsBehind('n', 'n.stored_at')}) AS uncounted
      FROM numbered n GROUP BY n.account_id, n.thread_id),
  touched AS (
    UPDATE threads t
       SET version = t.version + k.places, wa_id = coalesce(k.wa_id, t.wa_id),
           answer_count = greatest(0, t.answer_count - k.uncounted)
      FROM changes k
     WHERE t.account_id = k.account_id AND t.id = k.thread_id
    RETURNING t.id, k.at, k.uncounted, ${DECIDING('t')}),
  taken_up AS (${takeUpOnceMore('(SELECT * FROM touched WHERE uncounted > 0)')}),
  logged AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT n.account_id, n.thread_id, n.assistant_id, n.base + n.place, 'message_state', n.at,
           jsonb_build_object('by', 'PROVIDER', 'actor', NULL, 'message_id', n.id, 'to', n.status)
      FROM numbered n ORDER BY n.account_id, n.thread_id, n.place),
  given_back AS (
    UPDATE quota_usage q SET used = greatest(0, q.used - b.n)
      FROM (SELECT account_id, counted_in, count(*)::int AS n FROM settled
             WHERE gives_back AND counted_in IS NOT NULL GROUP BY account_id, counted_in ORDER BY account_id, counted_in) b
     WHERE q.account_id = b.account_id AND q.month = b.counted_in)
  SELECT count(*)::int AS settled FROM settled`;

/** Each array has one element for each outcome; $1 accounts $2 ids $3 tokens and so on, as {@link settle} names them. */
export const STORE_OUTCOMES: PreparedStatement = {
  name: 'outcome-store',
  text: settle(
    `SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                          $9::int[], $10::text[], $11::float8[], $12::boolean[])
       AS g (account_id, id, token, status, provider_id, wa_id, error_code, error_message, provider_code, response, due_ms, gives_back)`,
    'm.claim_token = g.token',
    // A late answer of the same attempt is evidence, whatever a webhook has reported meanwhile. But a message that
    // was unknown is not tried again, because a person may have read so and sent it again.
    `m.claim_token = g.token AND (m.status = 'sending'
       OR g.status <> 'queued' AND m.status IN ('unknown', 'sent', 'failed', 'delivered', 'read'))`,
  ),
};

/**
 * Claims past their deadline: it is unknown whether the request was accepted. $1 how many at once $2 the error's text
 */
export const EXPIRE_CLAIMS: PreparedStatement = {
  name: 'outcome-expire',
  text: settle(
    `SELECT m.account_id, m.id, m.claim_token AS token, 'unknown' AS status, NULL::text AS provider_id, NULL::text AS wa_id,
            'PROVIDER_ERROR' AS error_code, $2::text AS error_message, NULL::int AS provider_code, NULL::text AS response,
            NULL::float8 AS due_ms, false AS gives_back
       FROM messages m WHERE m.status = 'sending' AND m.claim_until < clock_timestamp()
      ORDER BY m.claim_until LIMIT $1`,
    `m.claim_token = g.token AND m.status = 'sending' AND m.claim_until < clock_timestamp()`,
  ),
};

/**
 * Fails queued messages under a condition, the oldest first. The state is compared with the state found, not with a
 * constant. With a constant the planner may use the index of queued messages and read all of it for every single
 * message. $1 account $2 bot or batch $3 the error's text $4 how many at once
 */
const failQueued = (which: string, code: string): string =>
  settle(
    `SELECT m.account_id, m.id, NULL::uuid AS token, 'failed' AS status, NULL::text AS provider_id, NULL::text AS wa_id,
            '${code}' AS error_code, $3::text AS error_message, NULL::int AS provider_code, NULL::text AS response,
            NULL::float8 AS due_ms, true AS gives_back, m.status AS found
       FROM messages m WHERE ${which} AND m.status = 'queued'
      ORDER BY m.due_at, m.id LIMIT $4`,
    `m.status = g.found`,
  );

/** Queued messages of a batch whose account cannot pay. $2 batch */
export const FAIL_REST: PreparedStatement = {
  name: 'outcome-fail-rest',
  text: failQueued(IN_BATCH, 'BILLING_ERROR'),
};

/**
 * Messages that wait for a number that is not connected; it may be connected at the next statement. $2 bot $5 channel
 */
export const FAIL_QUEUED: PreparedStatement = {
  name: 'outcome-fail-queued',
  text: failQueued(
    `m.account_id = $1 AND m.bot_id = $2 AND m.channel = $5 AND NOT EXISTS (
         SELECT 1 FROM bot_channels WHERE account_id = $1 AND bot_id = $2 AND channel = $5 AND ${isConnected('bot_channels')})`,
    'PROVIDER_ERROR',
  ),
};
