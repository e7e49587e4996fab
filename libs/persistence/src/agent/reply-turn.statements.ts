import type { PreparedStatement } from '../database/database.service';
import { takeoverRuns } from '../threads/card.columns';
import { stageLetsAnswer } from './reply-turn.parts';

/** How long a customer's message may be answered after it was written. */
const ANSWERABLE_FOR = `interval '24 hours'`;

/** Why the agent may not speak by a turn `r` in its dialog `t`, the gravest first; null: it may. */
const CLOSED = `
  CASE WHEN t.opted_out THEN 'opt_out'
       WHEN NOT t.ai_enabled THEN 'off'
       WHEN ${takeoverRuns('t', 'clock_timestamp()')} THEN 'takeover'
       WHEN NOT ${stageLetsAnswer('t', 't.account_id')} THEN 'stage'
       WHEN t.ai_epoch <> r.epoch AND t.waiting_message_id IS NOT NULL AND t.waiting_message_id <> r.message_id
         THEN 'newer_message'
       WHEN t.ai_epoch <> r.epoch THEN 'superseded'
       WHEN r.parts = 0 AND t.waiting_message_id IS DISTINCT FROM r.message_id THEN 'answered'
       WHEN r.parts = 0 AND t.waiting_at < clock_timestamp() - ${ANSWERABLE_FOR} THEN 'too_old' END`;

const IS_FREE = `r.state = 'due' AND r.due_at <= clock_timestamp()
       AND (r.lease_until IS NULL OR r.lease_until < clock_timestamp())`;

/**
 * Account by account, by one step of the index each, so that neither many due replies nor accounts that have their fill
 * take time or places from others: of each as many as it may have beside those that are held. By account and time: by the
 * account alone the planner may well walk along the primary key, past all that is over. $1 of each account
 */
export const DUE: PreparedStatement = {
  name: 'reply-turns-due',
  text: `
  WITH RECURSIVE accounts AS (
    (SELECT account_id FROM reply_turns WHERE state = 'due' ORDER BY account_id, due_at LIMIT 1)
    UNION ALL
    SELECT (SELECT r.account_id FROM reply_turns r WHERE r.state = 'due' AND r.account_id > a.account_id
             ORDER BY r.account_id, r.due_at LIMIT 1)
      FROM accounts a WHERE a.account_id IS NOT NULL)
  SELECT a.account_id AS "accountId", d.id::text AS "turnId"
    FROM accounts a
    CROSS JOIN LATERAL (
      SELECT count(*) AS held FROM reply_turns o
       WHERE o.account_id = a.account_id AND o.lease_token IS NOT NULL AND o.lease_until > clock_timestamp()) h
    CROSS JOIN LATERAL (
      SELECT r.id, r.due_at FROM reply_turns r WHERE r.account_id = a.account_id AND ${IS_FREE}
       ORDER BY r.due_at LIMIT greatest(0, $1 - h.held)) d
   WHERE a.account_id IS NOT NULL
   ORDER BY d.due_at LIMIT 500`,
};

/**
 * A turn is one process's at a time, and of a dialog one turn; a lease that ran out is anybody's.
 * $1 account $2 turn $3 token $4 the lease's milliseconds $5 how many of the account at once
 */
export const CLAIM: PreparedStatement = {
  name: 'reply-turn-claim',
  text: `
  WITH free AS MATERIALIZED (
    SELECT r.account_id, r.id FROM reply_turns r
     WHERE r.account_id = $1 AND r.id = $2::bigint AND ${IS_FREE}
       AND NOT EXISTS (SELECT 1 FROM reply_turns o WHERE o.account_id = r.account_id AND o.thread_id = r.thread_id
                          AND o.id <> r.id AND o.lease_until > clock_timestamp())
       AND (SELECT count(*) FROM reply_turns o WHERE o.account_id = $1 AND o.lease_token IS NOT NULL
               AND o.lease_until > clock_timestamp()) < $5
       FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE reply_turns r
       SET lease_token = $3, lease_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000),
           attempts = r.attempts + 1
      FROM free f WHERE r.account_id = f.account_id AND r.id = f.id
    RETURNING r.*)
  SELECT r.thread_id, r.message_id, r.epoch::float8 AS epoch, r.attempts, r.model_failures, r.parts, t.assistant_id, t.bot_id, t.channel,
         t.phone, coalesce(t.phone, t.user_id, t.contact) AS recipient, t.customer_name, t.status_id,
         m.provider_id, a.instructions, a.model, a.reply_parts_max, a.reply_characters_max, a.barred_kinds,
         a.handover_text,
         r.tool_calls > 0 AND EXISTS (
           SELECT 1 FROM events e WHERE e.account_id = r.account_id AND e.thread_id = r.thread_id AND e.type = 'status'
              AND e.body ->> 'by' = 'AI' AND e.at >= r.created_at) AS moved,
         coalesce(${CLOSED}, CASE WHEN (
           SELECT count(*) FROM reply_turns o WHERE o.account_id = $1 AND o.thread_id = r.thread_id AND o.id <> r.id
              AND o.parts > 0 AND o.created_at > clock_timestamp() - interval '1 hour') >= a.replies_per_hour
           THEN 'limit' END) AS closed
    FROM claimed r
    JOIN threads t ON t.account_id = r.account_id AND t.id = r.thread_id
    JOIN assistants a ON a.account_id = t.account_id AND a.id = t.assistant_id
    LEFT JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id`,
};

/** A message is answered within a day or not at all. $1 how many at most */
export const PURGE: PreparedStatement = {
  name: 'reply-turns-purge',
  text: `
  DELETE FROM reply_turns WHERE (account_id, id) IN (
    SELECT account_id, id FROM reply_turns WHERE state <> 'due' AND created_at < now() - interval '7 days'
     ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1`,
};

/** $1 accounts $2 turns $3 tokens */
export const LOOK: PreparedStatement = {
  name: 'reply-turns-look',
  text: `
  SELECT g.turn_id::text AS "turnId", CASE WHEN r.id IS NULL THEN 'superseded' ELSE ${CLOSED} END AS closed
    FROM unnest($1::uuid[], $2::bigint[], $3::uuid[]) g (account_id, turn_id, token)
    LEFT JOIN reply_turns r ON r.account_id = g.account_id AND r.id = g.turn_id AND r.lease_token = g.token
    LEFT JOIN threads t ON t.account_id = r.account_id AND t.id = r.thread_id
   WHERE r.id IS NULL OR ${CLOSED} IS NOT NULL`,
};

/**
 * Over all tries of a turn, so that one that fails again and again gets no more; and none once the agent is silenced.
 * $1 account $2 turn $3 token $4 how many
 */
export const SPEND_TOOL_CALL: PreparedStatement = {
  name: 'reply-turn-spend-tool-call',
  text: `
  UPDATE reply_turns r SET tool_calls = r.tool_calls + 1
    FROM threads t
   WHERE r.account_id = $1 AND r.id = $2::bigint AND r.lease_token = $3 AND r.tool_calls < $4
     AND t.account_id = r.account_id AND t.id = r.thread_id AND ${CLOSED} IS NULL
  RETURNING 1 AS spent`,
};

/** $1 accounts $2 turns $3 tokens $4 the lease's milliseconds */
export const HOLD: PreparedStatement = {
  name: 'reply-turns-hold',
  text: `
  UPDATE reply_turns r SET lease_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
    FROM unnest($1::uuid[], $2::bigint[], $3::uuid[]) g (account_id, turn_id, token)
   WHERE r.account_id = g.account_id AND r.id = g.turn_id AND r.lease_token = g.token`,
};

/** $1 account $2 turn $3 token $4 milliseconds $5 what counts: the `model` failed, the `claim` alone, or `nothing` */
export const LATER: PreparedStatement = {
  name: 'reply-turn-later',
  text: `
  UPDATE reply_turns
     SET lease_token = NULL, lease_until = NULL, handed_off = parts > 0,
         attempts = attempts - ($5 = 'nothing')::int, model_failures = model_failures + ($5 = 'model')::int,
         due_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
   WHERE account_id = $1 AND id = $2::bigint AND lease_token = $3`,
};

/**
 * The dialog is locked first, as everywhere. A turn of which no part went out may be taken up again.
 * $1 account $2 thread $3 turn $4 token $5 state $6 entry's type or null $7 its word
 * $8 more words on it, or null
 */
export const FINISH: PreparedStatement = {
  name: 'reply-turn-finish',
  text: `
  WITH cur AS MATERIALIZED (
    SELECT id, assistant_id, version, attention FROM threads WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  ended AS (
    UPDATE reply_turns r
       SET state = $5, lease_token = NULL, lease_until = NULL, handed_off = r.parts > 0
      FROM timed t WHERE r.account_id = $1 AND r.id = $3::bigint AND r.lease_token = $4 AND r.thread_id = t.id
    RETURNING 1),
  touched AS (
    UPDATE threads t SET version = t.version + 1, attention = CASE WHEN $6 = 'attention' THEN $7 ELSE t.attention END
      FROM timed d WHERE t.account_id = $1 AND t.id = d.id AND $6::text IS NOT NULL
       AND ($5 = 'discarded' OR EXISTS (SELECT 1 FROM ended))
    RETURNING t.id, t.assistant_id, t.version, d.at)
  INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
  SELECT $1, id, assistant_id, version, $6, at,
         jsonb_build_object('by', 'AI', 'actor', null, 'from', null, 'to', $7::text)
           || CASE WHEN $8::text IS NULL THEN '{}' ELSE jsonb_build_object('note', $8::text) END
    FROM touched`,
};
