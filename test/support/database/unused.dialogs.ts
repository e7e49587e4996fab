import type { Pool } from 'pg';
import type { AccountFixture } from './fixture';

/** Adds dialogs in which nothing has happened for 90 days, the first ones for longest. Their numbers are the name and a count. */
export async function addUnusedDialogs(
  pool: Pool,
  { id, assistantId, botId }: AccountFixture,
  dialogs: number,
  name = 'p',
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, customer_name, created_at, last_activity_at)
     SELECT $1, gen_random_uuid(), $2, $3, 'waba', p, p, $5, at, at FROM (
       SELECT $5 || n AS p, clock_timestamp() - interval '90 days' + n * interval '1 second' AS at
         FROM generate_series(1, $4::int) n) d
     RETURNING id`,
    [id, assistantId, botId, dialogs, name],
  );
  return rows.map(({ id: threadUuid }) => `thread_${threadUuid}`);
}
