import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What figures are counted from: stays in stages and messages of ours, and how far the log of each agent is counted. The
 * tables begin empty; the worker `figures` counts what the log has already.
 */
export class Figures1764036000000 implements MigrationInterface {
  name = 'Figures1764036000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE figure_positions (
        account_id uuid NOT NULL,
        assistant_id uuid NOT NULL,
        seq bigint NOT NULL DEFAULT 0,
        next_seq bigint,
        next_xid bigint,
        success_ids uuid[] NOT NULL DEFAULT '{}',
        redone_to uuid,
        PRIMARY KEY (account_id, assistant_id))`);
    await db.query(`
      CREATE TABLE figure_stays (
        account_id uuid NOT NULL,
        thread_id uuid NOT NULL,
        seq bigint NOT NULL,
        assistant_id uuid NOT NULL,
        status_id uuid,
        entered_at timestamptz NOT NULL,
        left_at timestamptz,
        counted boolean NOT NULL,
        earlier_at timestamptz,
        converted boolean NOT NULL DEFAULT false,
        PRIMARY KEY (account_id, thread_id, seq))`);
    await db.query(`
      CREATE INDEX figure_stays_entered
          ON figure_stays (account_id, assistant_id, entered_at, status_id, earlier_at, converted) WHERE counted`);
    await db.query(`
      CREATE INDEX figure_stays_left
          ON figure_stays (account_id, assistant_id, left_at, status_id, entered_at) WHERE left_at IS NOT NULL`);
    await db.query(`
      CREATE TABLE figure_messages (
        account_id uuid NOT NULL,
        message_id uuid NOT NULL,
        assistant_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        channel text NOT NULL,
        at timestamptz NOT NULL,
        role text NOT NULL,
        status text NOT NULL,
        counts boolean NOT NULL,
        began_at timestamptz,
        template text,
        language text,
        replied boolean NOT NULL DEFAULT false,
        error_code text,
        provider_code integer,
        PRIMARY KEY (account_id, message_id))`);
    await db.query(`
      CREATE INDEX figure_messages_at
          ON figure_messages (account_id, assistant_id, at, role, began_at) WHERE counts`);
    await db.query(`
      CREATE INDEX figure_messages_templates
          ON figure_messages (account_id, bot_id, at, channel, template, language, status, replied, error_code, provider_code)
       WHERE template IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE figure_messages, figure_stays, figure_positions');
  }
}
