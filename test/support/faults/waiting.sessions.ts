import type { Pool } from 'pg';
import { eventually } from '../eventually';

export interface WaitingSessions {
  /** Only those of connections of this name. */
  application?: string;
  /** Only those whose statement contains these words. */
  words?: string;
  deadlineMs?: number;
}

/** Waits until at least that many sessions of the pool's database wait for a lock. */
export async function untilWaiting(
  pool: Pool,
  count: number,
  { application, words = '', deadlineMs = 5_000 }: WaitingSessions = {},
): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await pool.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND application_name = coalesce($1, application_name) AND position($2 IN query) > 0`,
        [application, words],
      );
      return (rows[0]?.waiting ?? 0) >= count;
    },
    deadlineMs,
    `${count} sessions did not come to wait for a lock`,
  );
}
