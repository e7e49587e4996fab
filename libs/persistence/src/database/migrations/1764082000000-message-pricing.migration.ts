import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the provider charges a message of ours. */
export class MessagePricing1764082000000 implements MigrationInterface {
  name = 'MessagePricing1764082000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE messages ADD COLUMN pricing jsonb');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE messages DROP COLUMN pricing');
  }
}
