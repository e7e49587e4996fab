import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Cards tell in words what a message is that is more than its text, in each language. Dialogs are found by it too. */
export class MessageLines1764079000000 implements MigrationInterface {
  name = 'MessageLines1764079000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`INSERT INTO search_queue (account_id, thread_id)
        SELECT DISTINCT account_id, thread_id FROM messages
         WHERE inbound AND type IN ('location', 'contacts', 'order', 'interactive', 'unsupported')`);
    await db.query('ALTER TABLE threads ADD COLUMN last_message_lines jsonb');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads DROP COLUMN last_message_lines');
  }
}
