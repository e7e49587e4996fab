import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A message of a person's names them. */
export class MessageAuthors1764081200000 implements MigrationInterface {
  name = 'MessageAuthors1764081200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE messages ADD COLUMN author_id uuid');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE messages DROP COLUMN author_id');
  }
}
