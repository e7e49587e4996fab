import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Due webhooks are claimed of each number alike. Those that came before this migration form one group; a process of the
 * former version adds to it. The index holds only what is due, so it is built at once.
 */
export class WebhookGroups1764000000000 implements MigrationInterface {
  name = 'WebhookGroups1764000000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE webhook_deliveries ADD COLUMN claim_group text NOT NULL DEFAULT ''`);
    await db.query('DROP INDEX webhook_deliveries_due');
    await db.query(
      `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (claim_group, due_at, id) WHERE state = 'due'`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX webhook_deliveries_due');
    await db.query(
      `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, id) WHERE state = 'due'`,
    );
    await db.query('ALTER TABLE webhook_deliveries DROP COLUMN claim_group');
  }
}
