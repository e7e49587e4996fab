import { statement } from '../database/sql.statement';

/** What is held, of all accounts. */
export interface HeldCounts {
  /** Messages that wait to be sent. */
  messages: number;
  /** Messages whose sending had begun when the backup was taken. */
  sending: number;
  /** Replies that are due. */
  replies: number;
  /** Runs of scenarios that have not ended. */
  runs: number;
}

export const COUNT_HELD = statement('held-work-count').returns<HeldCounts>(`
  SELECT (SELECT count(*)::int FROM messages WHERE status = 'queued') AS messages,
         (SELECT count(*)::int FROM messages WHERE status = 'sending') AS sending,
         (SELECT count(*)::int FROM replies WHERE state = 'due') AS replies,
         (SELECT count(*)::int FROM scenario_runs WHERE finished_at IS NULL) AS runs`);

/** A reply that is being made has a lease; while sending is held there is none. */
export const DISCARD_REPLIES = statement('held-work-discard-replies').takes('limit').returns(`
  WITH due AS MATERIALIZED (
    SELECT account_id, id FROM replies WHERE state = 'due' LIMIT :limit FOR NO KEY UPDATE)
  UPDATE replies r SET state = 'discarded', lease_token = NULL, lease_until = NULL
    FROM due WHERE r.account_id = due.account_id AND r.id = due.id
  RETURNING 1 AS one`);

/** The worker of scenarios ends them at its first look, before any step. */
export const CANCEL_RUNS = statement('held-work-cancel-runs').takes('stoppedBy').returns(`
  UPDATE scenarios s SET cancel_before = clock_timestamp(), wake_at = clock_timestamp(), stopped_by = :stoppedBy::jsonb
   WHERE EXISTS (SELECT 1 FROM scenario_runs r
                  WHERE r.account_id = s.account_id AND r.scenario_id = s.id AND r.finished_at IS NULL)
  RETURNING 1 AS one`);

export const END_HOLD = statement('held-work-end-hold').returns('DELETE FROM sending_holds');
