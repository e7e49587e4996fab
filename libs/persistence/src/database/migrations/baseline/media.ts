/**
 * Files of messages: what they are, where they come from, what is said in them, and how much of its storage quota an
 * account uses.
 */
export const MEDIA: readonly string[] = [
  `
  CREATE TABLE media (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('image', 'video', 'audio', 'voice', 'document', 'sticker')),
    state text NOT NULL CHECK (state IN ('loading', 'stored', 'failed', 'gone')),
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
    uploaded_by uuid,
    transcript_state text CHECK (transcript_state IN ('pending', 'ready', 'failed', 'none')),
    transcript_text text,
    transcript_language text,
    transcript_due_at timestamptz,
    transcript_failures integer NOT NULL DEFAULT 0,
    transcript_ended_at timestamptz,
    PRIMARY KEY (account_id, id),
    CONSTRAINT media_loading_is_due
      CHECK ((state = 'loading') <= (due_at IS NOT NULL AND provider_ref IS NOT NULL)),
    CONSTRAINT media_stored_has_file
      CHECK ((state = 'stored') = (sha256 IS NOT NULL AND size IS NOT NULL AND mime_type IS NOT NULL)),
    CONSTRAINT media_transcript_has_text
      CHECK ((transcript_state = 'ready') = (transcript_text IS NOT NULL)),
    CONSTRAINT media_transcript_is_due
      CHECK ((transcript_state = 'pending') <= (transcript_due_at IS NOT NULL))
  )`,
  `CREATE INDEX media_due ON media (account_id, due_at) WHERE state = 'loading'`,
  `CREATE INDEX media_failed ON media (ended_at) WHERE state = 'failed'`,
  'CREATE INDEX media_file ON media (account_id, sha256) WHERE sha256 IS NOT NULL',
  `CREATE INDEX media_unsent ON media (due_at) WHERE state = 'stored' AND due_at IS NOT NULL`,
  `
  CREATE INDEX media_transcripts_due ON media (account_id, transcript_due_at)
    WHERE transcript_state = 'pending' AND state = 'stored'`,
  `CREATE INDEX media_transcripts_failed ON media (transcript_ended_at) WHERE transcript_state = 'failed'`,
  // A file that is gone has no transcript, whichever version of the service erased it.
  `
  CREATE FUNCTION drop_transcript() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.transcript_state = NULL;
    NEW.transcript_text = NULL;
    NEW.transcript_language = NULL;
    NEW.transcript_due_at = NULL;
    RETURN NEW;
  END $$`,
  `
  CREATE TRIGGER media_gone_without_transcript BEFORE UPDATE OF state ON media FOR EACH ROW
    WHEN (NEW.state = 'gone' AND NEW.transcript_state IS NOT NULL) EXECUTE FUNCTION drop_transcript()`,
  `
  CREATE TABLE media_files (
    account_id uuid NOT NULL REFERENCES accounts (id),
    sha256 text NOT NULL,
    size integer NOT NULL,
    claim_until timestamptz NOT NULL,
    is_removed boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, sha256)
  )`,
  `
  CREATE TABLE media_usage (
    account_id uuid PRIMARY KEY REFERENCES accounts (id),
    bytes bigint NOT NULL CHECK (bytes >= 0)
  )`,
];
