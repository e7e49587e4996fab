import { isOver, turnFor } from '../agent/reply-turn.parts';
import type { PreparedStatement } from '../database/database.service';
import { LEAD_COLUMNS, takeoverRuns } from '../threads/card.columns';

/** $1 account $2 thread $3 target or null $4 agents $5 answer flag $6 has expected $7 expected */
const DECIDE = (
  lock: 'FOR NO KEY UPDATE' | '',
  { statusId = 'status_id', epoch = 'ai_epoch', takeover = 'takeover_until' } = {},
) => `
  target AS MATERIALIZED (
    SELECT id, assistant_id, name, kind, "order", ai_enabled, on_enter FROM statuses
     WHERE account_id = $1 AND id = $3::uuid AND archived_at IS NULL),
  cur AS MATERIALIZED (
    SELECT id, assistant_id, ${statusId}, version, ai_enabled, ${takeover}, ${epoch}, opted_out,
           waiting_message_id, waiting_at
      FROM threads WHERE account_id = $1 AND id = $2 AND assistant_id = ANY ($4::uuid[]) ${lock}),
  decided AS MATERIALIZED (
    SELECT cur.*, clock_timestamp() AS at,
           CASE WHEN $3::uuid IS NOT NULL AND cur.assistant_id IS DISTINCT FROM (SELECT assistant_id FROM target)
                  THEN 'no_stage'
                WHEN status_id IS NOT DISTINCT FROM $3::uuid THEN 'same'
                WHEN $6 AND status_id IS DISTINCT FROM $7::uuid THEN 'conflict'
                ELSE 'move' END AS verdict FROM cur),
  answerable AS MATERIALIZED (
    SELECT d.id, d.waiting_message_id, d.ai_epoch, d.at FROM decided d
     WHERE d.verdict IN ('move', 'same') AND $5 AND d.waiting_message_id IS NOT NULL AND d.ai_enabled
       AND NOT d.opted_out AND NOT ${takeoverRuns('d', 'd.at')} AND d.waiting_at > d.at - interval '24 hours'
       AND (SELECT ai_enabled FROM target)
       AND (d.verdict = 'same' OR (SELECT on_enter FROM target) IS DISTINCT FROM 'operator'))`;

/** To whom the rule of the stage that is entered hands the dialog; null where that changes nothing. */
const HANDS_TO = `CASE
  WHEN (SELECT on_enter FROM target) = 'operator' AND d.ai_enabled AND NOT ${takeoverRuns('d', 'd.at')} THEN 'OPERATOR'
  WHEN (SELECT on_enter FROM target) = 'ai' AND d.ai_enabled AND ${takeoverRuns('d', 'd.at')} THEN 'AI' END`;

const STAGE = `target.id AS stage_id, target.name AS stage_name, target.kind AS stage_kind,
  target."order" AS stage_order, target.ai_enabled AS stage_ai_enabled`;

/**
 * The move, in one statement: locks the thread row alone, compares, updates, appends the event, and inserts the
 * intents of what must follow. Every fact that decides about the dialog is a column of the locked row: what is read
 * from another table is older than the lock. A join in the locking SELECT, `from` read in RETURNING, or `now()` for
 * `at` each look right and break the chain; tests plant them.
 *
 * The rule of the stage that is entered hands the dialog to an operator for a while, or back to its agent; a switch that is
 * off stays off. What waited is answered by the flag alone, as without the rule, and not where an operator gets the dialog.
 * $8 set by $9 actor $10 start scenarios $11 the epoch that the dialog must still have, or null: an agent that was silenced
 * a moment ago moves nobody
 */
export const MOVE: PreparedStatement = {
  name: 'lead-move',
  text: `
  WITH ${DECIDE('FOR NO KEY UPDATE')},
  turn AS (${turnFor('SELECT id, waiting_message_id, ai_epoch, at AS due_at FROM answerable')}),
  ruled AS MATERIALIZED (
    SELECT d.*, t.on_enter, ${HANDS_TO} AS hands_to FROM decided d LEFT JOIN target t ON true),
  moved AS (
    UPDATE threads t
       SET status_id = $3::uuid,
           status_set_at = CASE WHEN $3::uuid IS NULL THEN NULL ELSE d.at END,
           status_set_by = CASE WHEN $3::uuid IS NULL THEN NULL ELSE $8::text END,
           version = t.version + 1 + (d.hands_to IS NOT NULL)::int, last_activity_at = d.at,
           takeover_until = CASE
             WHEN d.on_enter = 'operator' AND d.ai_enabled THEN greatest(t.takeover_until, d.at + make_interval(mins => (
               SELECT a.auto_return_minutes FROM assistants a WHERE a.account_id = $1 AND a.id = t.assistant_id)))
             WHEN d.on_enter = 'ai' THEN NULL ELSE t.takeover_until END,
           ai_epoch = t.ai_epoch + CASE WHEN d.hands_to = 'OPERATOR' OR (SELECT ai_enabled FROM target) IS FALSE THEN 1 ELSE 0 END
      FROM ruled d WHERE t.account_id = $1 AND t.id = d.id AND d.verdict = 'move' AND d.ai_epoch = coalesce($11::bigint, d.ai_epoch)
    RETURNING t.id, t.assistant_id, d.status_id AS from_status, t.status_id AS to_status,
              t.version - (d.hands_to IS NOT NULL)::int AS version, d.at, d.hands_to),
  runs AS (
    INSERT INTO scenario_runs (account_id, thread_id, status_id, scenario_id, version)
    SELECT $1, m.id, s.status_id, s.id, m.version FROM moved m
      JOIN scenarios s ON s.account_id = $1 AND s.status_id = m.to_status AND s.enabled
     WHERE $10 RETURNING id),
  event AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, m.id, m.assistant_id, m.version + e.step, e.type, m.at,
           jsonb_build_object('from', e.was, 'to', e.is_now, 'by', $8::text, 'actor', $9::jsonb)
      FROM moved m CROSS JOIN LATERAL (
        SELECT 0 AS step, 'status' AS type, m.from_status::text AS was, m.to_status::text AS is_now
        UNION ALL
        SELECT 1, 'handler', CASE m.hands_to WHEN 'AI' THEN 'OPERATOR' ELSE 'AI' END, m.hands_to
         WHERE m.hands_to IS NOT NULL) e
     ORDER BY e.step RETURNING seq)
  SELECT d.verdict, EXISTS (SELECT 1 FROM turn) AS took, (SELECT id FROM turn)::text AS turn_id, (SELECT count(*) FROM runs)::int AS runs,
         (SELECT max(seq) FROM event)::float8 AS seq,
         (SELECT hands_to FROM moved) AS hands_to, ${STAGE}
    FROM decided d LEFT JOIN target ON true`,
};

/**
 * What the move would answer now, without doing it; or after earlier moves of the same dialog that were not done.
 * $8 whether there are such $9 where they lead to $10 how often they raise the epoch $11 how often until one of them
 * takes up the waiting message, or null $12 to whom the last of them that does hands the dialog, or null
 */
export const PREVIEW: PreparedStatement = {
  name: 'lead-move-preview',
  text: `
  WITH ${DECIDE('', {
    statusId: 'CASE WHEN $8 THEN $9::uuid ELSE status_id END AS status_id',
    epoch: 'ai_epoch + $10::int AS ai_epoch',
    takeover: `CASE $12::text WHEN 'OPERATOR' THEN 'infinity' WHEN 'AI' THEN NULL ELSE takeover_until END AS takeover_until`,
  })}
  SELECT d.verdict,
         EXISTS (SELECT 1 FROM answerable a WHERE coalesce($11::int < $10, true) AND NOT EXISTS (
           SELECT 1 FROM reply_turns r WHERE r.account_id = $1 AND r.message_id = a.waiting_message_id
             AND (r.handed_off OR r.epoch >= a.ai_epoch AND NOT ${isOver('r')}))) AS took,
         NULL::text AS turn_id, 0 AS runs, NULL::float8 AS seq,
         CASE WHEN d.verdict = 'move' THEN ${HANDS_TO} END AS hands_to, ${STAGE}
    FROM decided d LEFT JOIN target ON true`,
};

export const CANDIDATES: PreparedStatement = {
  name: 'lead-status-candidates',
  text: `
  SELECT array(SELECT s.id FROM statuses s WHERE s.account_id = $1 AND s.assistant_id = t.assistant_id
                  AND s.name_folded = $4 AND s.archived_at IS NULL ORDER BY s."order" LIMIT 2)::text[] AS status_ids
    FROM threads t WHERE t.account_id = $1 AND t.id = $2 AND t.assistant_id = ANY ($3::uuid[])`,
};

/** $1 account $2 thread $3 agents */
export const FIND: PreparedStatement = {
  name: 'lead-find',
  text: `
  SELECT ${LEAD_COLUMNS}
    FROM threads t LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   WHERE t.account_id = $1 AND t.id = $2 AND t.assistant_id = ANY ($3::uuid[])`,
};

/**
 * The same for several calls, each with its own account and agents. OFFSET keeps every lead found by its index;
 * subscripts, because of unnest the planner takes the length into account, finds each plan of the moment cheaper than
 * the lasting one, and plans longer than it looks.
 * $1 accounts $2 threads $3 agents, an array's text for each call
 */
export const FIND_MANY: PreparedStatement = {
  name: 'lead-find-many',
  text: `
  SELECT n, lead.*
    FROM generate_subscripts($2::uuid[], 1) n
    CROSS JOIN LATERAL (
      SELECT ${LEAD_COLUMNS}
        FROM threads t
        LEFT JOIN LATERAL (SELECT name, kind, "order" FROM statuses
                            WHERE account_id = t.account_id AND id = t.status_id OFFSET 0) s ON true
       WHERE t.account_id = ($1::uuid[])[n] AND t.id = ($2::uuid[])[n]
         AND t.assistant_id = ANY (($3::text[])[n]::uuid[])
      OFFSET 0) lead`,
};
