import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often the connection of a number has changed: a process that sends by it learns within the second that it was
 * disconnected, stopped, or given another credential or pace.
 */
export class ConnectionRevision1763884800000 implements MigrationInterface {
  name = 'ConnectionRevision1763884800000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE bot_channels ADD revision integer NOT NULL DEFAULT 0');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE bot_channels DROP revision');
  }
}
