import type { Pool } from 'pg';
import { eventually } from '../eventually';

/**
 * Waits until that many calls of a key to operations on leads were admitted. From then on they are under way.
 * @param key one of at most 240 calls a minute: their times are stored one by one
 */
export async function untilAdmitted(
  pool: Pool,
  key: string,
  count: number,
  deadlineMs = 10_000,
): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await pool.query<{ admitted: number }>(
        `SELECT cardinality(w.hits) AS admitted FROM rate_windows w JOIN api_keys k ON k.id = w.key_id
          WHERE k.key_hash = sha256($1) AND w.scope = 'leads'`,
        [Buffer.from(key)],
      );
      return rows[0]?.admitted === count;
    },
    deadlineMs,
    `${count} calls were not admitted`,
  );
}
