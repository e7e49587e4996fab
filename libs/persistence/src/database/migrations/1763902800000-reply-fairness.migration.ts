import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Due replies are found account by account, and failures of the model are counted separately from the claims of a
 * reply.
 */
export class ReplyFairness1763902800000 implements MigrationInterface {
  name = 'ReplyFairness1763902800000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE reply_turns ADD model_failures integer NOT NULL DEFAULT 0;
      DROP INDEX reply_turns_due;
      CREATE INDEX reply_turns_due ON reply_turns (account_id, due_at) WHERE state = 'due';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX reply_turns_due;
      CREATE INDEX reply_turns_due ON reply_turns (due_at) WHERE state = 'due';
      ALTER TABLE reply_turns DROP model_failures;
    `);
  }
}
