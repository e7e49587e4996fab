import type { PoolClient } from 'pg';
import type { TestDatabase } from '../database/test.database';
import { uuidOf } from '../database/thread.uuid';
import { untilWaiting } from './waiting.sessions';

const ignored = (): void => undefined;

/** Somebody's open transaction that holds the row of a dialog, so that everything else on the dialog waits. */
export class RowLock {
  private constructor(
    private readonly database: TestDatabase,
    private readonly holder: PoolClient,
    private readonly threadUuid: string,
  ) {}

  static async take(database: TestDatabase, threadId: string): Promise<RowLock> {
    const holder = await database.pool.connect();
    // Cutting the database off makes the next statement fail.
    holder.on('error', ignored);
    const uuid = uuidOf(threadId);
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM threads WHERE id = $1 FOR NO KEY UPDATE', [uuid]);
    return new RowLock(database, holder, uuid);
  }

  /** Waits until that many sessions of this database wait for a lock. */
  async waiters(count: number): Promise<void> {
    await untilWaiting(this.database.pool, count, { deadlineMs: 1_500 });
  }

  /** Changes facts of the dialog within the holder's transaction. */
  async setFacts(assignments: string): Promise<void> {
    await this.holder.query(`UPDATE threads SET ${assignments} WHERE id = $1`, [this.threadUuid]);
  }

  /** Writes the dialog's last message within the holder's transaction, as the part that takes messages in will. */
  async addMessage(role: 'AI' | 'USER'): Promise<void> {
    await this.holder.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text, sent_at)
       SELECT account_id, gen_random_uuid(), id, bot_id, channel, $2, $2 = 'USER',
              CASE $2 WHEN 'USER' THEN 'received' ELSE 'sent' END, 'text', clock_timestamp()
         FROM threads WHERE id = $1`,
      [this.threadUuid, role],
    );
  }

  /** Commits; the last moment, by the database's clock, at which the row was surely held. */
  async release(): Promise<string> {
    try {
      const { rows } = await this.holder.query<{ at: string }>(
        `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
      );
      await this.holder.query('COMMIT');
      return rows[0]?.at ?? '';
    } finally {
      this.holder.off('error', ignored);
      this.holder.release();
    }
  }
}
