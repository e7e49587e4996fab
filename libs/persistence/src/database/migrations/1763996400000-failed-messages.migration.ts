import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What failed in the last hour is counted for whoever watches the service. Few messages fail, so the index is small.
 * While it is built, writes of messages wait. It may have been built before, CONCURRENTLY, by an administrator: a
 * migration cannot, because that waits for every process that waits for the migrations' lock.
 */
export class FailedMessages1763996400000 implements MigrationInterface {
  name = 'FailedMessages1763996400000';

  async up(db: QueryRunner): Promise<void> {
    // What a build with CONCURRENTLY leaves behind when it fails.
    await db.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('messages_failed') AND NOT indisvalid)
        THEN DROP INDEX messages_failed; END IF;
      END $$`);
    await db.query(
      'CREATE INDEX IF NOT EXISTS messages_failed ON messages (failed_at) WHERE failed_at IS NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX messages_failed');
  }
}
