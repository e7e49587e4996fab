import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What of webhooks failed in the last hour is counted along an index. A process of the version before leaves the column empty:
 * what fails there is not counted until that process is gone.
 */
export class FailedDeliveries1764075200000 implements MigrationInterface {
  name = 'FailedDeliveries1764075200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE endpoint_deliveries ADD failed_at timestamptz');
    await db.query(
      'CREATE INDEX IF NOT EXISTS endpoint_deliveries_failed ON endpoint_deliveries (failed_at) WHERE failed_at IS NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE endpoint_deliveries DROP failed_at');
  }
}
