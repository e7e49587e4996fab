import { agentAsActor } from './thread-log.statements';

/** How runs begin, and how they hear of what happens in their dialog. Statements are composed of these. */

/** A UUID of version 7 by an instant: runs are listed in the order of their ids. */
export const uuidV7 = (at: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7'
             || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

/**
 * A due run of each scenario that is on for a stage. Whether it begins is decided under the dialog's lock by the
 * worker, whose statements see what this one's snapshot may lack.
 * @param threads rows: account_id, id, assistant_id, to_status, version, at (when the lead entered)
 * @param of cause: jsonb, or null for the agent; trace: of the move, or null; depth: in a chain; byRun: the run that moved
 * the lead; customerAfter: when its first effect may begin, or null
 */
export const startRuns = (
  threads: string,
  {
    cause,
    trace,
    depth,
    byRun,
    customerAfter,
  }: Record<'cause' | 'trace' | 'depth' | 'byRun' | 'customerAfter', string>,
): string => `
    INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, version, revision, cause,
                               depth, by_run, next_at, due_since, customer_after, started_at)
    SELECT m.account_id, ${uuidV7('m.at')}, s.id, m.id, s.status_id, m.at, m.version, s.revision,
           coalesce(${cause}, ${agentAsActor('m', 'm.account_id')})
             || CASE WHEN ${trace} IS NULL THEN '{}' ELSE jsonb_build_object('trace', ${trace}) END,
           ${depth}, ${byRun}, m.at, m.at, ${customerAfter}, m.at
      FROM ${threads} m
      JOIN accounts o ON o.id = m.account_id AND NOT o.automation_paused
      JOIN scenarios s ON s.account_id = m.account_id AND s.status_id = m.to_status AND s.state = 'on' AND s.archived_at IS NULL
     ORDER BY s."order", s.id`;

/**
 * The worker looks at these dialogs at once.
 * @param threads a SELECT of account_id, id, at
 */
export const queueRuns = (threads: string): string => `
    INSERT INTO scenario_queues AS q (account_id, thread_id, due_at)
    SELECT account_id, id, at FROM (${threads}) x ORDER BY account_id, id
    ON CONFLICT (account_id, thread_id) DO UPDATE SET due_at = least(q.due_at, excluded.due_at)`;

/**
 * Something happened that runs of these dialogs may wait for. It reads `has_runs` of the locked thread, because the row of
 * the queue may be newer than the statement's snapshot. ON CONFLICT finds that row even so.
 * @param threads rows of locked threads: account_id, id, at, has_runs
 */
export const wakeRuns = (threads: string): string =>
  queueRuns(`SELECT account_id, id, at FROM ${threads} WHERE has_runs`);

/**
 * The state of a run as people see it: an open one is paused while its scenario or its account's automation is.
 * @param automationPaused of the account
 */
export const shownState = (run: string, automationPaused: string): string =>
  `CASE WHEN ${run}.finished_at IS NULL AND (${automationPaused} OR EXISTS (
          SELECT 1 FROM scenarios its WHERE its.account_id = ${run}.account_id AND its.id = ${run}.scenario_id AND its.state = 'paused'))
        THEN 'paused' ELSE ${run}.state END`;
