import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A number may have the secret of an own app at Meta. What is signed by it is kept with the numbers that it is for. */
export class OwnAppSecrets1764086000000 implements MigrationInterface {
  name = 'OwnAppSecrets1764086000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE bot_channels ADD COLUMN app_secret_key_id text, ADD COLUMN app_secret bytea`);
    await db.query(
      `ALTER TABLE bot_channels ADD CONSTRAINT bot_channels_app_secret_with_key
         CHECK ((app_secret IS NULL) = (app_secret_key_id IS NULL))`,
    );
    await db.query(
      `CREATE INDEX IF NOT EXISTS bot_channels_app_secrets ON bot_channels (channel, sender) WHERE app_secret IS NOT NULL`,
    );
    await db.query('ALTER TABLE webhook_deliveries ADD COLUMN signed_for text[]');
    await db.query('ALTER TABLE webhook_rejects ADD COLUMN signed_for text[]');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE webhook_rejects DROP COLUMN signed_for');
    await db.query('ALTER TABLE webhook_deliveries DROP COLUMN signed_for');
    await db.query('DROP INDEX bot_channels_app_secrets');
    await db.query('ALTER TABLE bot_channels DROP COLUMN app_secret, DROP COLUMN app_secret_key_id');
  }
}
