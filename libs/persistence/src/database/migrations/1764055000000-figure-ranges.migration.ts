import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was counted of ranges of time is kept for figures of long histories, and times are found by their length. The history
 * is counted anew in the background: notes are no messages to customers.
 */
export class FigureRanges1764055000000 implements MigrationInterface {
  name = 'FigureRanges1764055000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('TRUNCATE figure_positions, figure_stays, figure_messages');
    await db.query(`
      CREATE TABLE figure_ranges (
        account_id uuid NOT NULL,
        subject_id uuid NOT NULL,
        kind text NOT NULL,
        from_at timestamptz NOT NULL,
        until_at timestamptz NOT NULL,
        assistant_id uuid NOT NULL,
        counted json,
        PRIMARY KEY (account_id, subject_id, kind, from_at, until_at))`);
    await db.query(`
      CREATE INDEX figure_ranges_due ON figure_ranges (account_id, assistant_id) WHERE counted IS NULL`);
    await db.query(`
      CREATE INDEX figure_stays_lasted
          ON figure_stays (account_id, assistant_id, coalesce(status_id, '00000000-0000-0000-0000-000000000000'::uuid),
                           (left_at - entered_at), left_at, entered_at, status_id)
       WHERE left_at IS NOT NULL`);
    await db.query(`
      CREATE INDEX figure_stays_returned
          ON figure_stays (account_id, assistant_id,
                           width_bucket(entered_at - earlier_at, ARRAY[
                             interval '24 hours', interval '48 hours', interval '96 hours', interval '192 hours',
                             interval '384 hours', interval '768 hours', interval '1536 hours', interval '3072 hours',
                             interval '6144 hours', interval '12288 hours']),
                           entered_at, earlier_at, status_id, converted)
       WHERE counted AND earlier_at IS NOT NULL`);
    await db.query(`
      CREATE INDEX figure_messages_answered
          ON figure_messages (account_id, assistant_id, (at - began_at), role, at, began_at)
       WHERE counts AND began_at IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX figure_messages_answered');
    await db.query('DROP INDEX figure_stays_returned');
    await db.query('DROP INDEX figure_stays_lasted');
    await db.query('DROP TABLE figure_ranges');
  }
}
