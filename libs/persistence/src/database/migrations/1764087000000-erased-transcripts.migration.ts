import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A file that is gone has no transcript. In an upgrade without an interruption a process of the former version erases
 * customers, too, and knows of none.
 */
export class ErasedTranscripts1764087000000 implements MigrationInterface {
  name = 'ErasedTranscripts1764087000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION drop_transcript() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.transcript_state = NULL;
        NEW.transcript_text = NULL;
        NEW.transcript_language = NULL;
        NEW.transcript_due_at = NULL;
        RETURN NEW;
      END $$`);
    await db.query(`
      CREATE TRIGGER media_gone_without_transcript BEFORE UPDATE OF state ON media FOR EACH ROW
        WHEN (NEW.state = 'gone' AND NEW.transcript_state IS NOT NULL) EXECUTE FUNCTION drop_transcript()`);
    await db.query(`UPDATE media SET state = state WHERE state = 'gone' AND transcript_state IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TRIGGER media_gone_without_transcript ON media');
    await db.query('DROP FUNCTION drop_transcript()');
  }
}
