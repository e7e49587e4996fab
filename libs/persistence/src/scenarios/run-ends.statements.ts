import { statement } from '../database/sql.statement';

/** The id of the call behind the first entry of a type that the dialog's history has since a run began. */
export const REQUEST_SINCE_BEGUN = statement('scenario-run-request-since-begun').takes(
  'accountId',
  'threadId',
  'runId',
  'type',
).returns<{ request_id: string | null }>(`
  SELECT e.body ->> 'request_id' AS request_id
    FROM scenario_runs r
    JOIN events e ON e.account_id = r.account_id AND e.thread_id = r.thread_id AND e.type = :type
     AND CASE WHEN r.version IS NULL THEN e.at > r.started_at ELSE e.version > r.version END
   WHERE r.account_id = :accountId AND r.id = :runId AND e.thread_id = :threadId
   ORDER BY e.seq LIMIT 1`);
