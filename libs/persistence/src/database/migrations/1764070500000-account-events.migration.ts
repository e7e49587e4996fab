import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What keeps events that are about no dialog from being told twice: whether a list is done, a number is in trouble, and how
 * much of the month's messages was told of.
 */
export class AccountEvents1764070500000 implements MigrationInterface {
  name = 'AccountEvents1764070500000';

  async up(db: QueryRunner): Promise<void> {
    // The lists that there are count as done, without rewriting their rows. Those that a former version stores later do not.
    await db.query(`
      ALTER TABLE batches ADD COLUMN finished_at timestamptz DEFAULT now(), ADD COLUMN open_message_id uuid`);
    await db.query('ALTER TABLE batches ALTER COLUMN finished_at DROP DEFAULT');
    await db.query(`
      WITH open AS MATERIALIZED (
        SELECT account_id, batch_id FROM messages WHERE status = 'queued' AND batch_id IS NOT NULL
        UNION SELECT account_id, batch_id FROM messages WHERE status = 'sending' AND batch_id IS NOT NULL)
      UPDATE batches b SET finished_at = NULL FROM open o
       WHERE b.account_id = o.account_id AND b.id = o.batch_id AND b.first_message_id IS NOT NULL`);
    await db.query('CREATE INDEX batches_unfinished ON batches (account_id, id) WHERE finished_at IS NULL');
    await db.query(`
      ALTER TABLE bot_channels ADD COLUMN trouble_code text, ADD COLUMN trouble_at timestamptz,
        ADD CONSTRAINT bot_channels_trouble_with_time CHECK ((trouble_code IS NULL) = (trouble_at IS NULL))`);
    await db.query(`
      CREATE INDEX bot_channels_in_trouble ON bot_channels (account_id, bot_id, channel)
       WHERE trouble_code IS NOT NULL`);
    await db.query(`
      ALTER TABLE quota_usage ADD COLUMN told_percent integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT quota_usage_told_percent_check CHECK (told_percent IN (0, 80, 100))`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE quota_usage DROP COLUMN told_percent');
    await db.query('ALTER TABLE bot_channels DROP COLUMN trouble_code, DROP COLUMN trouble_at');
    await db.query('ALTER TABLE batches DROP COLUMN finished_at, DROP COLUMN open_message_id');
  }
}
