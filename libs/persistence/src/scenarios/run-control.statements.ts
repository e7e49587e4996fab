import { statement } from '../database/sql.statement';
import { queueRuns } from '../threads/run.fragments';
import { DIALOGS_WRITTEN, DIALOGS_WRITTEN_TAKES } from './dialog-write.statements';

/**
 * Writes what a person did to a run, under the thread's lock, whoever serves the dialog. The worker does what follows:
 * it reads the runs anew under the lock, and takes the dialog out of the queue where none is open.
 */
export const WRITE_BY_PERSON = statement('scenario-dialog-write-by-person').takes(...DIALOGS_WRITTEN_TAKES)
  .returns<{
  logged: number;
}>(`
  WITH ${DIALOGS_WRITTEN},
  queued AS (${queueRuns(`SELECT :accountId::uuid AS account_id, d.thread_id AS id, c.at FROM dialogs d CROSS JOIN clock c`)})
  SELECT count(*)::int AS logged FROM logged`);

export const RETRIED = statement('scenario-run-retried').takes('accountId', 'runId', 'retriedBy').returns(`
  UPDATE scenario_runs SET retried_by = :retriedBy::jsonb WHERE account_id = :accountId AND id = :runId`);
