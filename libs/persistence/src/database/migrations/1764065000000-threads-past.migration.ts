import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Dialogs that came with a history: their last activity was before they were added. Retention finds them at once. Others are
 * not in the index, so moves and messages write nothing to it. The last of its release, for it holds the table.
 */
export class ThreadsPast1764065000000 implements MigrationInterface {
  name = 'ThreadsPast1764065000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX IF NOT EXISTS threads_past
        ON threads (account_id, last_activity_at)
     WHERE last_activity_at < created_at AND erased_at IS NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX threads_past');
  }
}
