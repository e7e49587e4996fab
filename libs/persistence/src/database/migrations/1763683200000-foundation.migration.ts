import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The foundation: accounts and their keys; agents with their funnels; dialogs, each with every fact that decides
 * about it in one row; the event log; and the rows for what follows a change. Thread rows have no foreign key to
 * their stage: it would make a multixact for nearly every move into a busy stage (rate 0.81, measured). Stages are
 * archived, never deleted.
 */
export class Foundation1763683200000 implements MigrationInterface {
  name = 'Foundation1763683200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE accounts (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        monthly_message_quota integer CHECK (monthly_message_quota >= 0),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE TABLE quota_usage (
        account_id uuid NOT NULL REFERENCES accounts (id),
        month date NOT NULL,
        used integer NOT NULL CHECK (used >= 0),
        PRIMARY KEY (account_id, month)
      );
      CREATE TABLE api_keys (
        account_id uuid REFERENCES accounts (id),
        id uuid PRIMARY KEY,
        name text NOT NULL,
        prefix text NOT NULL,
        key_hash bytea NOT NULL,
        scopes text[] NOT NULL,
        bot_ids uuid[] NOT NULL DEFAULT '{}',
        assistant_ids uuid[] NOT NULL DEFAULT '{}',
        limit_leads integer CHECK (limit_leads > 0),
        limit_general integer CHECK (limit_general > 0),
        expires_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CHECK ((account_id IS NULL) = (scopes = ARRAY['admin']))
      );
      CREATE UNIQUE INDEX api_keys_hash ON api_keys (key_hash);
      CREATE INDEX api_keys_account ON api_keys (account_id, id);
      CREATE TABLE rate_windows (
        key_id uuid NOT NULL,
        scope text NOT NULL,
        hits timestamptz[] NOT NULL,
        PRIMARY KEY (key_id, scope)
      ) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
      CREATE TABLE rate_buckets (
        key_id uuid NOT NULL,
        scope text NOT NULL,
        head bigint NOT NULL,
        counts integer[] NOT NULL,
        PRIMARY KEY (key_id, scope)
      ) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);

      CREATE TABLE assistants (
        account_id uuid NOT NULL REFERENCES accounts (id),
        id uuid NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id)
      );
      CREATE TABLE statuses (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        assistant_id uuid NOT NULL,
        name text NOT NULL,
        name_folded text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('active', 'qualified', 'awaiting_payment', 'success', 'failure')),
        "order" integer NOT NULL,
        description text,
        ai_enabled boolean NOT NULL DEFAULT true,
        ai_transition_locked boolean NOT NULL DEFAULT false,
        archived_at timestamptz,
        PRIMARY KEY (account_id, id),
        FOREIGN KEY (account_id, assistant_id) REFERENCES assistants (account_id, id)
      );
      CREATE INDEX statuses_funnel ON statuses (account_id, assistant_id, "order", id);

      CREATE TABLE bots (
        account_id uuid NOT NULL REFERENCES accounts (id),
        id uuid NOT NULL,
        assistant_id uuid NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id),
        FOREIGN KEY (account_id, assistant_id) REFERENCES assistants (account_id, id)
      );
      CREATE TABLE bot_channels (
        account_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        channel text NOT NULL,
        sender text NOT NULL,
        PRIMARY KEY (account_id, bot_id, channel),
        FOREIGN KEY (account_id, bot_id) REFERENCES bots (account_id, id)
      );

      CREATE TABLE threads (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        assistant_id uuid NOT NULL,
        bot_id uuid NOT NULL,
        channel text NOT NULL,
        contact text NOT NULL,
        phone text,
        customer_name text,
        status_id uuid,
        status_set_at timestamptz,
        status_set_by text CHECK (status_set_by IN ('AI', 'OPERATOR_MANUAL', 'SCENARIO', 'SYSTEM')),
        version bigint NOT NULL DEFAULT 1,
        ai_enabled boolean NOT NULL DEFAULT true,
        takeover_until timestamptz,
        ai_epoch bigint NOT NULL DEFAULT 0,
        opted_out boolean NOT NULL DEFAULT false,
        waiting_message_id uuid,
        waiting_at timestamptz,
        last_message_role text,
        last_message_text text,
        last_message_at timestamptz,
        unread_count integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_activity_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id),
        CHECK ((status_id IS NULL) = (status_set_at IS NULL) AND (status_id IS NULL) = (status_set_by IS NULL)),
        CHECK ((waiting_message_id IS NULL) = (waiting_at IS NULL)),
        CHECK (NOT (opted_out AND ai_enabled)),
        FOREIGN KEY (account_id, bot_id) REFERENCES bots (account_id, id),
        FOREIGN KEY (account_id, assistant_id) REFERENCES assistants (account_id, id)
      ) WITH (fillfactor = 85);
      CREATE UNIQUE INDEX threads_dialog ON threads (account_id, bot_id, channel, contact);
      CREATE INDEX threads_board ON threads (account_id, assistant_id, status_id, last_activity_at DESC, id DESC);

      CREATE TABLE messages (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        thread_id uuid NOT NULL,
        role text NOT NULL CHECK (role IN ('AI', 'USER', 'OPERATOR', 'SYSTEM')),
        text text NOT NULL,
        sent_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id),
        FOREIGN KEY (account_id, thread_id) REFERENCES threads (account_id, id)
      );
      CREATE INDEX messages_thread ON messages (account_id, thread_id, created_at DESC, id DESC);

      CREATE TABLE events (
        account_id uuid NOT NULL,
        seq bigint GENERATED ALWAYS AS IDENTITY (CACHE 1),
        thread_id uuid NOT NULL,
        assistant_id uuid NOT NULL,
        version bigint NOT NULL,
        type text NOT NULL,
        at timestamptz NOT NULL,
        body jsonb NOT NULL,
        PRIMARY KEY (account_id, thread_id, seq)
      );
      CREATE INDEX events_feed ON events (seq);
      CREATE INDEX events_board ON events (account_id, assistant_id, seq);

      CREATE TABLE reply_turns (
        account_id uuid NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        thread_id uuid NOT NULL,
        message_id uuid NOT NULL,
        epoch bigint NOT NULL,
        state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'answered')),
        due_at timestamptz NOT NULL,
        handed_off boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id)
      );
      CREATE UNIQUE INDEX reply_turns_message ON reply_turns (account_id, message_id);
      CREATE INDEX reply_turns_due ON reply_turns (due_at) WHERE state = 'due';

      CREATE TABLE scenarios (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        status_id uuid NOT NULL,
        name text NOT NULL,
        enabled boolean NOT NULL DEFAULT true,
        PRIMARY KEY (account_id, id),
        FOREIGN KEY (account_id, status_id) REFERENCES statuses (account_id, id)
      );
      CREATE INDEX scenarios_status ON scenarios (account_id, status_id) WHERE enabled;
      CREATE TABLE scenario_runs (
        account_id uuid NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        thread_id uuid NOT NULL,
        status_id uuid NOT NULL,
        scenario_id uuid NOT NULL,
        version bigint NOT NULL,
        state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'done')),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id)
      );
      CREATE UNIQUE INDEX scenario_runs_once ON scenario_runs (account_id, thread_id, version, scenario_id);
      CREATE INDEX scenario_runs_due ON scenario_runs (created_at) WHERE state = 'due';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE scenario_runs, scenarios, reply_turns, events, messages, threads, bot_channels, bots, statuses,
        assistants, rate_buckets, rate_windows, api_keys, quota_usage, accounts;
    `);
  }
}
