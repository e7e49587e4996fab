import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dialogs listed by their last activity, and by how long their customers wait: since the first unanswered message. */
export class ThreadOrders1764032400000 implements MigrationInterface {
  name = 'ThreadOrders1764032400000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD waiting_since timestamptz');
    await db.query(`
      CREATE INDEX IF NOT EXISTS threads_activity
        ON threads (account_id, assistant_id, last_activity_at DESC, id DESC)`);
    await db.query(`
      CREATE INDEX IF NOT EXISTS threads_waiting
        ON threads (account_id, assistant_id, coalesce(waiting_since, waiting_at), id)
     WHERE waiting_message_id IS NOT NULL AND answer_count = 0`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX threads_waiting');
    await db.query('DROP INDEX threads_activity');
    await db.query('ALTER TABLE threads DROP waiting_since');
  }
}
