import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an agent is set to and allowed, the replies with their leases, and dialogs that want an operator. */
export class Agent1763892000000 implements MigrationInterface {
  name = 'Agent1763892000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants
        ADD instructions text NOT NULL DEFAULT '',
        ADD model text,
        ADD reply_delay_ms integer CHECK (reply_delay_ms BETWEEN 0 AND 600000),
        ADD reply_parts_max integer NOT NULL DEFAULT 3 CHECK (reply_parts_max BETWEEN 1 AND 10),
        ADD reply_characters_max integer NOT NULL DEFAULT 2000 CHECK (reply_characters_max BETWEEN 1 AND 20000),
        ADD replies_per_hour integer NOT NULL DEFAULT 60 CHECK (replies_per_hour BETWEEN 1 AND 1000),
        ADD barred_kinds text[] NOT NULL DEFAULT '{}'
          CHECK (barred_kinds <@ ARRAY['active', 'qualified', 'awaiting_payment', 'success', 'failure']),
        ADD handover_text text;

      ALTER TABLE reply_turns
        ADD lease_token uuid,
        ADD lease_until timestamptz,
        ADD attempts integer NOT NULL DEFAULT 0,
        ADD parts integer NOT NULL DEFAULT 0,
        ADD tool_calls integer NOT NULL DEFAULT 0,
        DROP CONSTRAINT reply_turns_state_check,
        ADD CONSTRAINT reply_turns_state_check CHECK (state IN ('due', 'answered', 'discarded', 'failed')),
        ADD CHECK ((lease_token IS NULL) = (lease_until IS NULL));
      CREATE INDEX reply_turns_thread ON reply_turns (account_id, thread_id, id DESC);
      CREATE INDEX reply_turns_over ON reply_turns (created_at) WHERE state <> 'due';
      CREATE INDEX reply_turns_leased ON reply_turns (account_id) WHERE lease_token IS NOT NULL;

      ALTER TABLE threads
        ADD asked_since timestamptz,
        ADD attention text;
      CREATE INDEX threads_takeovers ON threads (takeover_until) WHERE takeover_until IS NOT NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX threads_takeovers;
      ALTER TABLE threads DROP asked_since, DROP attention;
      DROP INDEX reply_turns_leased, reply_turns_over, reply_turns_thread;
      UPDATE reply_turns SET state = 'answered' WHERE state IN ('discarded', 'failed');
      ALTER TABLE reply_turns
        DROP lease_token, DROP lease_until, DROP attempts, DROP parts, DROP tool_calls,
        DROP CONSTRAINT reply_turns_state_check,
        ADD CONSTRAINT reply_turns_state_check CHECK (state IN ('due', 'answered'));
      ALTER TABLE assistants
        DROP instructions, DROP model, DROP reply_delay_ms, DROP reply_parts_max, DROP reply_characters_max,
        DROP replies_per_hour, DROP barred_kinds, DROP handover_text;
    `);
  }
}
