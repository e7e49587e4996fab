import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A reply that failed says why, also after a person has seen to it. */
export class ReplyFailures1764081000000 implements MigrationInterface {
  name = 'ReplyFailures1764081000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE replies ADD COLUMN failure text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE replies DROP COLUMN failure');
  }
}
