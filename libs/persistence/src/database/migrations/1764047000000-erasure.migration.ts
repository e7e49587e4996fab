import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dialogs of which everything about their customer is erased, and what is kept of opt-outs then. */
export class Erasure1764047000000 implements MigrationInterface {
  name = 'Erasure1764047000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD COLUMN erased_at timestamptz');
    await db.query(`
      ALTER TABLE accounts
        ADD COLUMN retention_days integer,
        ADD COLUMN erased_before timestamptz,
        ADD COLUMN erasing_until timestamptz,
        ADD CONSTRAINT accounts_retention_days_check CHECK (retention_days > 0)`);
    await db.query(`
      CREATE TABLE kept_opt_outs (
        account_id uuid NOT NULL,
        mark bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT kept_opt_outs_pkey PRIMARY KEY (account_id, mark),
        CONSTRAINT kept_opt_outs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
      )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE kept_opt_outs');
    await db.query(
      'ALTER TABLE accounts DROP COLUMN retention_days, DROP COLUMN erased_before, DROP COLUMN erasing_until',
    );
    await db.query('ALTER TABLE threads DROP COLUMN erased_at');
  }
}
