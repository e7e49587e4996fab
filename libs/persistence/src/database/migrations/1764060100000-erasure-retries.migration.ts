import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dialogs without activity that could not be erased, and when that is tried again. */
export class ErasureRetries1764060100000 implements MigrationInterface {
  name = 'ErasureRetries1764060100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE erasure_retries (
        account_id uuid NOT NULL,
        thread_id uuid NOT NULL,
        due_at timestamptz NOT NULL,
        CONSTRAINT erasure_retries_pkey PRIMARY KEY (account_id, thread_id),
        CONSTRAINT erasure_retries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
      )`);
    await db.query('CREATE INDEX erasure_retries_due ON erasure_retries (account_id, due_at)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE erasure_retries');
  }
}
