import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A webhook is kept for as long as an item of it may be taken in again, so its rejects are looked up by it. */
export class RetriedRejects1764039601000 implements MigrationInterface {
  name = 'RetriedRejects1764039601000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX IF NOT EXISTS webhook_rejects_delivery ON webhook_rejects (delivery_id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX webhook_rejects_delivery');
  }
}
