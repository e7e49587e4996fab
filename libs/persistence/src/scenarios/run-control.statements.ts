import { statement } from '../database/sql.statement';
import { queueRuns } from '../threads/run.fragments';
import { TOLD, WRITTEN } from './dialog-runs.statements';

/**
 * Writes what a person did to a run, under the thread's lock, whoever serves the dialog. The worker does what follows:
 * it reads the runs anew under the lock, and takes the dialog out of the queue where none is open.
 */
export const WRITE_BY_PERSON = statement('scenario-dialog-write-by-person').takes(
  'accountId',
  'threadId',
  'runs',
  'goneIds',
  'entries',
  'attention',
  'attentionNote',
  'hasRuns',
).returns<{ logged: number }>(`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  ${WRITTEN},
  ${TOLD},
  queued AS (${queueRuns(`SELECT :accountId::uuid AS account_id, :threadId::uuid AS id, c.at FROM clock c`)})
  SELECT count(*)::int AS logged FROM logged`);

export const RETRIED = statement('scenario-run-retried').takes('accountId', 'runId', 'retriedBy').returns(`
  UPDATE scenario_runs SET retried_by = :retriedBy::jsonb WHERE account_id = :accountId AND id = :runId`);
