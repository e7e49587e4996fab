import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a lead's stage was cleared. It is not known of those whose stage was cleared before: to look each of them up in the
 * log would lock the table for minutes.
 */
export class StatusClearedAt1764085000000 implements MigrationInterface {
  name = 'StatusClearedAt1764085000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD COLUMN status_cleared_at timestamptz');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads DROP COLUMN status_cleared_at');
  }
}
