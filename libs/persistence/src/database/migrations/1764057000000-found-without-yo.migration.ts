import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Words with a ё are found by е too. Dialogs that have some are read anew in the background, the newest first. */
export class FoundWithoutYo1764057000000 implements MigrationInterface {
  name = 'FoundWithoutYo1764057000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      INSERT INTO search_queue (account_id, thread_id)
      SELECT account_id, thread_id FROM thread_search
       WHERE (customer_words || words)::text LIKE '%ё%' ORDER BY thread_id DESC`);
  }

  /** What is stored more finds more, and harms nothing. */
  async down(): Promise<void> {}
}
