import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work that is done later is recorded in the trace of what caused it. Nullable and without a default: no row is rewritten. */
export class Traces1764073000000 implements MigrationInterface {
  name = 'Traces1764073000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE webhook_deliveries ADD COLUMN trace text');
    await db.query('ALTER TABLE messages ADD COLUMN trace text');
    await db.query('ALTER TABLE replies ADD COLUMN trace text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE replies DROP COLUMN trace');
    await db.query('ALTER TABLE messages DROP COLUMN trace');
    await db.query('ALTER TABLE webhook_deliveries DROP COLUMN trace');
  }
}
