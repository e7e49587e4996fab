import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account says when it is open, which its agents tell customers. */
export class OpeningHours1764090000000 implements MigrationInterface {
  name = 'OpeningHours1764090000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE accounts ADD COLUMN opening_hours jsonb');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE accounts DROP COLUMN opening_hours');
  }
}
