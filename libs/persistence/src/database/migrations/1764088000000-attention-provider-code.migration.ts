import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which number of the provider's a message was refused for which a person is asked for. */
export class AttentionProviderCode1764088000000 implements MigrationInterface {
  name = 'AttentionProviderCode1764088000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads ADD COLUMN attention_provider_code integer');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE threads DROP COLUMN attention_provider_code');
  }
}
