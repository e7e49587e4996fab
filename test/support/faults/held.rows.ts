import type { Pool } from 'pg';

/** The account's own row, whose key others' statements may refer to meanwhile, or all of its rows in a table. */
const HELD = {
  accounts: 'accounts WHERE id = $1 FOR NO KEY UPDATE',
  api_keys: 'api_keys WHERE account_id = $1 FOR UPDATE',
  bot_channels: 'bot_channels WHERE account_id = $1 FOR UPDATE',
  threads: 'threads WHERE account_id = $1 FOR UPDATE',
  users: 'users WHERE account_id = $1 FOR UPDATE',
};

/** Holds all rows of an account in one table locked while something is done. */
export async function holdingRows(
  pool: Pool,
  table: keyof typeof HELD,
  accountId: string,
  act: () => Promise<void>,
): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT 1 FROM ${HELD[table]}`, [accountId]);
    await act();
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}
