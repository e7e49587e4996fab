import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of messages: what they are, where they come from, and how much of its storage quota an account uses. */
export class Media1764028800000 implements MigrationInterface {
  name = 'Media1764028800000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE accounts ADD media_quota_bytes bigint');
    await db.query(
      'ALTER TABLE accounts ADD CONSTRAINT accounts_media_quota_bytes_check CHECK (media_quota_bytes >= 0)',
    );
    await db.query(`
      CREATE TABLE media_usage (
        account_id uuid NOT NULL,
        bytes bigint NOT NULL CONSTRAINT media_usage_bytes_check CHECK (bytes >= 0),
        CONSTRAINT media_usage_pkey PRIMARY KEY (account_id),
        CONSTRAINT media_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
      )`);
    await db.query(`
      CREATE TABLE media_files (
        account_id uuid NOT NULL,
        sha256 text NOT NULL,
        size integer NOT NULL,
        claim_until timestamptz NOT NULL,
        is_removed boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT media_files_pkey PRIMARY KEY (account_id, sha256),
        CONSTRAINT media_files_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
      )`);
    await db.query(`
      CREATE TABLE media (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        kind text NOT NULL
          CONSTRAINT media_kind_check CHECK (kind IN ('image', 'video', 'audio', 'voice', 'document', 'sticker')),
        state text NOT NULL CONSTRAINT media_state_check CHECK (state IN ('loading', 'stored', 'failed', 'gone')),
        sha256 text,
        size integer,
        mime_type text,
        file_name text,
        width integer,
        height integer,
        seconds integer,
        bot_id uuid,
        channel text,
        provider_ref text,
        due_at timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        lease_token uuid,
        lease_until timestamptz,
        error text,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT media_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT media_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id),
        CONSTRAINT media_loading_is_due
          CHECK ((state = 'loading') <= (due_at IS NOT NULL AND provider_ref IS NOT NULL)),
        CONSTRAINT media_stored_has_file
          CHECK ((state = 'stored') = (sha256 IS NOT NULL AND size IS NOT NULL AND mime_type IS NOT NULL))
      )`);
    await db.query(`CREATE INDEX media_due ON media (account_id, due_at) WHERE state = 'loading'`);
    await db.query(`CREATE INDEX media_failed ON media (ended_at) WHERE state = 'failed'`);
    await db.query('CREATE INDEX media_file ON media (account_id, sha256) WHERE sha256 IS NOT NULL');
    await db.query('ALTER TABLE messages ADD media_id uuid');
    await db.query(`
      ALTER TABLE messages
        ADD CONSTRAINT messages_account_id_media_id_fkey FOREIGN KEY (account_id, media_id) REFERENCES media (account_id, id)`);
    await db.query(
      'CREATE INDEX IF NOT EXISTS messages_media ON messages (account_id, media_id) WHERE media_id IS NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE messages DROP media_id');
    await db.query('DROP TABLE media');
    await db.query('DROP TABLE media_files');
    await db.query('DROP TABLE media_usage');
    await db.query('ALTER TABLE accounts DROP media_quota_bytes');
  }
}
