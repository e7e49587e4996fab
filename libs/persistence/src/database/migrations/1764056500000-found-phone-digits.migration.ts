import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Phones are found by one and two digits, too. What finds them is stored with a dialog's words, so dialogs with a phone are
 * added anew in the background, the newest first.
 */
export class FoundPhoneDigits1764056500000 implements MigrationInterface {
  name = 'FoundPhoneDigits1764056500000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      INSERT INTO search_queue (account_id, thread_id)
      SELECT account_id, id FROM threads WHERE phone IS NOT NULL ORDER BY id DESC`);
  }

  /** What is stored more finds more, and harms nothing. */
  async down(): Promise<void> {}
}
