import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploads that no message has are due to be deleted. Those from before have a week from now. */
export class UnsentUploads1764058000000 implements MigrationInterface {
  name = 'UnsentUploads1764058000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX IF NOT EXISTS media_unsent ON media (due_at) WHERE state = 'stored' AND due_at IS NOT NULL`);
    await db.query(`
      UPDATE media x SET due_at = clock_timestamp() + interval '7 days'
       WHERE x.state = 'stored' AND x.bot_id IS NULL AND NOT EXISTS (
         SELECT 1 FROM messages m WHERE m.account_id = x.account_id AND m.media_id = x.id)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX media_unsent');
    await db.query(`UPDATE media SET due_at = NULL WHERE state = 'stored'`);
  }
}
