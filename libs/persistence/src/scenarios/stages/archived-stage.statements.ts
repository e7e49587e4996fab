import type { StageEntity } from '../../assistants/stage.entity';
import type { CamelCased } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import { handsTo, MOVE_ENTRIES, standsAt, takeoverByRule } from '../../leads/move.rules';
import { wakeRuns } from '../../threads/run.statements';
import { appendEvents } from '../../threads/thread-log.statements';

/** A stage of an account. */
export type StageKey = CamelCased<Pick<StageEntity, 'account_id' | 'id'>>;

/** Archived stages in which leads may still come to stand, of all accounts. */
export const EMPTYING = statement('archived-stages-due').returns<StageKey>(`
  SELECT account_id AS "accountId", id FROM statuses WHERE emptying_until IS NOT NULL ORDER BY account_id, id LIMIT 1000`);

/**
 * Moves some of the leads that stand in an archived stage, as the call that archived it wanted: with its actor, and by
 * the rule of the stage that they enter. No scenario starts. Runs of the left stage hear of it.
 *
 * It skips threads that are locked, so it waits for no other statement that holds threads, and any number of
 * processes may do it at once. The locking SELECT has one table.
 */
export const MOVE_OUT = statement('archived-stage-move-out').takes('accountId', 'stageId', 'limit').returns<{
  moved: number;
  /** Of the moved ones, how many have runs. */
  with_runs: number;
}>(`
  WITH stage AS MATERIALIZED (
    SELECT s.id, s.assistant_id, s.archived_by, n.id AS next_id, n.ai_enabled, n.on_enter
      FROM statuses s LEFT JOIN statuses n ON n.account_id = s.account_id AND n.id = s.moved_to
     WHERE s.account_id = :accountId AND s.id = :stageId AND s.archived_at IS NOT NULL),
  cur AS MATERIALIZED (
    SELECT id, assistant_id, status_id, ai_enabled, opted_out, takeover_until, has_runs FROM threads
     WHERE account_id = :accountId AND assistant_id = (SELECT assistant_id FROM stage) AND status_id = (SELECT id FROM stage)
     LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED),
  decided AS MATERIALIZED (
    SELECT cur.*, clock_timestamp() AS at, s.next_id, s.on_enter, s.ai_enabled AS stage_ai_enabled, s.archived_by
      FROM cur CROSS JOIN stage s),
  ruled AS MATERIALIZED (SELECT d.*, ${handsTo('d', 'd.on_enter')} AS hands_to FROM decided d),
  moved AS (
    UPDATE threads t
       SET ${standsAt('d.next_id', 'd.at', `'SYSTEM'`)},
           version = t.version + 1 + (d.hands_to IS NOT NULL)::int, last_activity_at = d.at,
           takeover_until = ${takeoverByRule('t', 'd', 'd.on_enter')},
           ai_epoch = t.ai_epoch + CASE WHEN d.hands_to = 'OPERATOR' OR d.stage_ai_enabled IS FALSE THEN 1 ELSE 0 END
      FROM ruled d WHERE t.account_id = :accountId AND t.id = d.id
    RETURNING t.account_id, t.id, t.assistant_id, d.status_id AS from_status, t.status_id AS to_status,
              t.version - (d.hands_to IS NOT NULL)::int AS version, d.at, d.hands_to, d.has_runs,
              d.archived_by -> 'actor' AS actor, d.archived_by -> 'request_id' AS request_id),
  queued AS (${wakeRuns('moved')}),
  event AS (${appendEvents(
    'moved',
    { by: `'SYSTEM'`, actor: 't.actor', request: 't.request_id' },
    MOVE_ENTRIES,
  )})
  SELECT count(*)::int AS moved, count(*) FILTER (WHERE has_runs)::int AS with_runs FROM moved`);

export const ANY_LEFT = statement('archived-stage-any-left').takes('accountId', 'assistantId', 'stageId')
  .returns<{
  any: boolean;
}>(`
  SELECT EXISTS (SELECT 1 FROM threads WHERE account_id = :accountId AND assistant_id = :assistantId
                    AND status_id = :stageId) AS any`);

/** Nobody can come to stand in the archived stage any more, and nobody does. */
export const SETTLE = statement('archived-stage-settle').takes('accountId', 'stageId').returns<{
  settled: number;
}>(`
  UPDATE statuses s SET emptying_until = NULL
   WHERE s.account_id = :accountId AND s.id = :stageId AND s.emptying_until < statement_timestamp() AND NOT EXISTS (
     SELECT 1 FROM threads t WHERE t.account_id = s.account_id AND t.assistant_id = s.assistant_id AND t.status_id = s.id)
  RETURNING 1 AS settled`);
