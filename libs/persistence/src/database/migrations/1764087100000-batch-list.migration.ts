import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lists that a bot sent, in the order in which they are shown. */
export class BatchList1764087100000 implements MigrationInterface {
  name = 'BatchList1764087100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX IF NOT EXISTS batches_bot ON batches (account_id, bot_id, id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX batches_bot');
  }
}
