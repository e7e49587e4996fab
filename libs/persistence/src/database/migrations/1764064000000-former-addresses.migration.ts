import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that a customer had before, so that erasing knows them. */
export class FormerAddresses1764064000000 implements MigrationInterface {
  name = 'FormerAddresses1764064000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD COLUMN former_addresses text[]');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads DROP COLUMN former_addresses');
  }
}
