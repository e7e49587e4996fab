import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What customers say in voice notes is written down, and replies wait for that. */
export class Transcripts1764080000000 implements MigrationInterface {
  name = 'Transcripts1764080000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE accounts ADD COLUMN transcription boolean NOT NULL DEFAULT true');
    await db.query('ALTER TABLE replies ADD COLUMN waits_until timestamptz');
    await db.query(`ALTER TABLE media
        ADD COLUMN transcript_state text,
        ADD COLUMN transcript_text text,
        ADD COLUMN transcript_language text,
        ADD COLUMN transcript_due_at timestamptz,
        ADD COLUMN transcript_failures integer NOT NULL DEFAULT 0,
        ADD COLUMN transcript_ended_at timestamptz,
        ADD CONSTRAINT media_transcript_state_check
          CHECK (transcript_state IN ('pending', 'ready', 'failed', 'none')),
        ADD CONSTRAINT media_transcript_is_due
          CHECK ((transcript_state = 'pending') <= (transcript_due_at IS NOT NULL)),
        ADD CONSTRAINT media_transcript_has_text
          CHECK ((transcript_state = 'ready') = (transcript_text IS NOT NULL))`);
    await db.query(`CREATE INDEX media_transcripts_due ON media (account_id, transcript_due_at)
        WHERE transcript_state = 'pending' AND state = 'stored'`);
    await db.query(`CREATE INDEX media_transcripts_failed ON media (transcript_ended_at)
        WHERE transcript_state = 'failed'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE media
        DROP COLUMN transcript_state,
        DROP COLUMN transcript_text,
        DROP COLUMN transcript_language,
        DROP COLUMN transcript_due_at,
        DROP COLUMN transcript_failures,
        DROP COLUMN transcript_ended_at`);
    await db.query('ALTER TABLE replies DROP COLUMN waits_until');
    await db.query('ALTER TABLE accounts DROP COLUMN transcription');
  }
}
