import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account says what becomes of a customer who still waits when a takeover is over. */
export class TakeoverEnd1764077200000 implements MigrationInterface {
  name = 'TakeoverEnd1764077200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE accounts
        ADD COLUMN takeover_end text NOT NULL DEFAULT 'ask',
        ADD CONSTRAINT accounts_takeover_end_check CHECK (takeover_end IN ('ask', 'answer', 'keep'))`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE accounts DROP COLUMN takeover_end');
  }
}
