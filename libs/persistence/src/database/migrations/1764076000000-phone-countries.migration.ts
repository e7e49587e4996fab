import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Phones that do not say their country are read in that of their account, else in that of their bot's number. */
export class PhoneCountries1764076000000 implements MigrationInterface {
  name = 'PhoneCountries1764076000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE accounts
        ADD COLUMN default_country text,
        ADD CONSTRAINT accounts_default_country_check CHECK (default_country ~ '^[A-Z]{2}$')`);
    await db.query('ALTER TABLE bot_channels ADD COLUMN phone text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE bot_channels DROP COLUMN phone');
    await db.query('ALTER TABLE accounts DROP COLUMN default_country');
  }
}
