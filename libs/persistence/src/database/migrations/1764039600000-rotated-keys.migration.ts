import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key that got a new secret is recognised by the old one too, for a while. */
export class RotatedKeys1764039600000 implements MigrationInterface {
  name = 'RotatedKeys1764039600000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE api_keys ADD old_key_hash bytea, ADD old_key_expires_at timestamptz, ADD CONSTRAINT api_keys_old_key_check CHECK ((old_key_hash IS NULL) = (old_key_expires_at IS NULL))',
    );
    await db.query(
      'CREATE UNIQUE INDEX api_keys_old_hash ON api_keys (old_key_hash) WHERE old_key_hash IS NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE api_keys DROP old_key_hash, DROP old_key_expires_at');
  }
}
