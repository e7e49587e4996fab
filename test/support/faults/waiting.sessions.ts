import type { Pool } from 'pg';
import { eventually } from '../eventually';

export interface WaitingSessions {
  /** Only those of connections of this name. */
  application?: string;
  /** Only those whose statement contains these words. */
  words?: string;
  /** Only those that wait for the session of this process id, or for one that waits for it. */
  behind?: number;
  deadlineMs?: number;
}

const WAITING = `
  WITH RECURSIVE waiting AS MATERIALIZED (
    SELECT pid, query, application_name,
           CASE WHEN $3::int IS NULL THEN '{}' ELSE pg_blocking_pids(pid) END AS blockers
      FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'),
  behind AS (
    SELECT pid FROM waiting WHERE $3 IS NULL OR $3 = ANY (blockers)
    UNION SELECT w.pid FROM waiting w JOIN behind b ON b.pid = ANY (w.blockers))
  SELECT count(*)::int AS waiting FROM waiting JOIN behind USING (pid)
   WHERE application_name = coalesce($1, application_name) AND position($2 IN query) > 0`;

/**
 * Waits until at least that many sessions of the pool's database wait for a lock at the same time. The deadline is for
 * a loaded machine: no time is promised.
 */
export async function untilWaiting(
  pool: Pool,
  count: number,
  { application, words = '', behind, deadlineMs = 10_000 }: WaitingSessions = {},
): Promise<void> {
  await eventually(
    async () => {
      const values = [application, words, behind];
      const { rows } = await pool.query<{ waiting: number }>(WAITING, values);
      return (rows[0]?.waiting ?? 0) >= count;
    },
    deadlineMs,
    `${count} sessions did not come to wait for a lock`,
  );
}
