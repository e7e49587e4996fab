import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account has a clock for its agents, and words of its own by which its customers opt out and in. */
export class AccountClock1764077000000 implements MigrationInterface {
  name = 'AccountClock1764077000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE accounts
        ADD COLUMN timezone text NOT NULL DEFAULT 'UTC',
        ADD COLUMN opt_out_words text[] NOT NULL DEFAULT '{}',
        ADD COLUMN opt_in_words text[] NOT NULL DEFAULT '{}'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE accounts DROP COLUMN timezone, DROP COLUMN opt_out_words, DROP COLUMN opt_in_words',
    );
  }
}
