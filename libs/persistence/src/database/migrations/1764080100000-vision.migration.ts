import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An agent may see what customers send. */
export class Vision1764080100000 implements MigrationInterface {
  name = 'Vision1764080100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE assistants ADD COLUMN vision boolean NOT NULL DEFAULT false');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE assistants DROP COLUMN vision');
  }
}
