import type { PoolClient } from 'pg';
import type { TestDatabase } from '../database/test.database';
import { uuidOf } from '../database/thread.uuid';
import { untilWaiting } from './waiting.sessions';

const ignored = (): void => undefined;

/** Somebody's open transaction that holds the rows of dialogs, so that everything else on these dialogs waits. */
export class RowLock {
  private constructor(
    private readonly database: TestDatabase,
    private readonly holder: PoolClient,
    private readonly holderPid: number,
    private readonly threadUuids: readonly string[],
  ) {}

  static async take(database: TestDatabase, ...threadIds: readonly string[]): Promise<RowLock> {
    const holder = await database.pool.connect();
    // Cutting the database off makes the next statement fail.
    holder.on('error', ignored);
    const uuids = threadIds.map(uuidOf);
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM threads WHERE id = ANY ($1) FOR NO KEY UPDATE', [uuids]);
    return new RowLock(database, holder, rows[0]?.pid ?? NaN, uuids);
  }

  /** Waits until that many sessions wait for this lock, behind its holder or behind one another. */
  async waiters(count: number, deadlineMs?: number): Promise<void> {
    await untilWaiting(this.database.pool, count, { behind: this.holderPid, deadlineMs });
  }

  /** Changes facts of the dialogs within the holder's transaction. */
  async setFacts(assignments: string): Promise<void> {
    await this.holder.query(`UPDATE threads SET ${assignments} WHERE id = ANY ($1)`, [this.threadUuids]);
  }

  /** Writes each dialog's last message within the holder's transaction, as the part that takes messages in will. */
  async addMessage(role: 'AI' | 'USER'): Promise<void> {
    await this.holder.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text, sent_at)
       SELECT account_id, gen_random_uuid(), id, bot_id, channel, $2, $2 = 'USER',
              CASE $2 WHEN 'USER' THEN 'received' ELSE 'sent' END, 'text', clock_timestamp()
         FROM threads WHERE id = ANY ($1)`,
      [this.threadUuids, role],
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
