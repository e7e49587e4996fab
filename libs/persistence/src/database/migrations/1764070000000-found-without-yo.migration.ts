import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A search takes ё and е for one letter. Dialogs that were stored with a ё are read anew in the background, the newest first. */
export class FoundWithoutYo1764070000000 implements MigrationInterface {
  name = 'FoundWithoutYo1764070000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      INSERT INTO search_queue (account_id, thread_id)
      SELECT account_id, thread_id FROM thread_search
       WHERE (customer_words || words)::text LIKE '%ё%' ORDER BY thread_id DESC`);
  }

  /** The former version finds them by е. */
  async down(): Promise<void> {}
}
