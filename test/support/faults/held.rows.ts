import type { Pool } from 'pg';

/** Holds all rows of an account in one table locked while something is done. */
export async function holdingRows(
  pool: Pool,
  table: 'bot_channels' | 'threads' | 'users',
  accountId: string,
  act: () => Promise<void>,
): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT 1 FROM ${table} WHERE account_id = $1 FOR UPDATE`, [accountId]);
    await act();
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}
