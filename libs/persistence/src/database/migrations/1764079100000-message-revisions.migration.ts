import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a message was edited or deleted by whoever wrote it. */
export class MessageRevisions1764079100000 implements MigrationInterface {
  name = 'MessageRevisions1764079100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE messages ADD COLUMN edited_at timestamptz, ADD COLUMN deleted_at timestamptz',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE messages DROP COLUMN edited_at, DROP COLUMN deleted_at');
  }
}
