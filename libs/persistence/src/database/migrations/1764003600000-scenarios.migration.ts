import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Scenarios that run. Until now a row of `scenario_runs` was written for each start and nothing took it up, and no
 * operation made a scenario, so the table is made anew and what it had is dropped: nobody expects a message from it.
 * `scenarios.enabled` stays for one version, always false: processes of the version before start no runs meanwhile.
 */
export class Scenarios1764003600000 implements MigrationInterface {
  name = 'Scenarios1764003600000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE scenario_runs');
    await db.query('DROP INDEX scenarios_status');
    await db.query(`
      ALTER TABLE scenarios
        ALTER COLUMN enabled SET DEFAULT false,
        ADD COLUMN assistant_id uuid,
        ADD COLUMN state text NOT NULL DEFAULT 'on' CONSTRAINT scenarios_state_check CHECK (state IN ('on', 'paused', 'off')),
        ADD COLUMN "order" integer NOT NULL DEFAULT 1,
        ADD COLUMN on_leave text NOT NULL DEFAULT 'cancel' CONSTRAINT scenarios_on_leave_check CHECK (on_leave IN ('cancel', 'continue')),
        ADD COLUMN on_reply text NOT NULL DEFAULT 'continue' CONSTRAINT scenarios_on_reply_check CHECK (on_reply IN ('continue', 'cancel')),
        ADD COLUMN on_takeover text NOT NULL DEFAULT 'wait' CONSTRAINT scenarios_on_takeover_check CHECK (on_takeover IN ('wait', 'continue', 'cancel')),
        ADD COLUMN reentry text NOT NULL DEFAULT 'restart' CONSTRAINT scenarios_reentry_check CHECK (reentry IN ('restart', 'ignore', 'once')),
        ADD COLUMN cooldown_seconds integer NOT NULL DEFAULT 0,
        ADD COLUMN send_hours jsonb,
        ADD COLUMN revision integer NOT NULL DEFAULT 1,
        ADD COLUMN cancel_before timestamptz,
        ADD COLUMN archived_at timestamptz,
        ADD COLUMN wake_at timestamptz,
        ADD COLUMN created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ADD COLUMN updated_at timestamptz NOT NULL DEFAULT clock_timestamp()`);
    // A scenario of the version before has no steps.
    await db.query(`
      UPDATE scenarios c SET enabled = false, state = 'off', archived_at = clock_timestamp(), assistant_id = s.assistant_id
        FROM statuses s WHERE s.account_id = c.account_id AND s.id = c.status_id`);
    await db.query('ALTER TABLE scenarios ALTER COLUMN assistant_id SET NOT NULL');
    await db.query(
      `CREATE INDEX scenarios_status ON scenarios (account_id, status_id, "order", id) WHERE archived_at IS NULL`,
    );
    await db.query(`
      CREATE TABLE scenario_revisions (
        account_id uuid NOT NULL,
        scenario_id uuid NOT NULL,
        revision integer NOT NULL,
        steps jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT scenario_revisions_pkey PRIMARY KEY (account_id, scenario_id, revision),
        CONSTRAINT scenario_revisions_scenario_fkey FOREIGN KEY (account_id, scenario_id) REFERENCES scenarios (account_id, id)
      )`);
    await db.query(`
      CREATE TABLE scenario_runs (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        scenario_id uuid NOT NULL,
        thread_id uuid NOT NULL,
        status_id uuid NOT NULL,
        entered_at timestamptz NOT NULL,
        version bigint,
        revision integer NOT NULL,
        state text NOT NULL DEFAULT 'due'
          CONSTRAINT scenario_runs_state_check CHECK (state IN ('due', 'running', 'waiting', 'done', 'failed', 'cancelled')),
        reason text,
        cause jsonb NOT NULL,
        depth integer NOT NULL DEFAULT 1,
        by_run uuid,
        at_step integer NOT NULL DEFAULT 0,
        progress jsonb NOT NULL DEFAULT '[]',
        next_at timestamptz,
        due_since timestamptz NOT NULL,
        spoke_at timestamptz,
        last_message_id uuid,
        customer_after timestamptz,
        detached boolean NOT NULL DEFAULT false,
        handed_over boolean NOT NULL DEFAULT false,
        retried_by jsonb,
        started_at timestamptz NOT NULL,
        finished_at timestamptz,
        CONSTRAINT scenario_runs_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT scenario_runs_ended_check CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed', 'cancelled')))
      ) WITH (fillfactor = 80)`);
    await db.query(
      `CREATE INDEX scenario_runs_thread ON scenario_runs (account_id, thread_id, scenario_id, started_at)`,
    );
    await db.query(
      `CREATE INDEX scenario_runs_open ON scenario_runs (account_id, scenario_id, thread_id) WHERE finished_at IS NULL`,
    );
    await db.query(`CREATE INDEX scenario_runs_scenario ON scenario_runs (account_id, scenario_id, id)`);
    await db.query(
      `CREATE INDEX scenario_runs_finished ON scenario_runs (finished_at) WHERE finished_at IS NOT NULL`,
    );
    await db.query(`
      CREATE TABLE scenario_queues (
        account_id uuid NOT NULL,
        thread_id uuid NOT NULL,
        due_at timestamptz NOT NULL,
        lease_token uuid,
        lease_until timestamptz,
        permit_until timestamptz,
        CONSTRAINT scenario_queues_pkey PRIMARY KEY (account_id, thread_id)
      ) WITH (fillfactor = 70)`);
    await db.query(`CREATE INDEX scenario_queues_due ON scenario_queues (account_id, due_at)`);
    await db.query('ALTER TABLE statuses ADD COLUMN starts_runs boolean NOT NULL DEFAULT false');
    await db.query(
      'ALTER TABLE accounts ADD COLUMN automation_paused boolean NOT NULL DEFAULT false, ADD COLUMN wake_at timestamptz',
    );
    await db.query('CREATE INDEX scenarios_wakes ON scenarios (wake_at) WHERE wake_at IS NOT NULL');
    await db.query('CREATE INDEX accounts_wakes ON accounts (wake_at) WHERE wake_at IS NOT NULL');
    await db.query(
      'ALTER TABLE threads ADD COLUMN has_runs boolean NOT NULL DEFAULT false, ADD COLUMN replied_at timestamptz',
    );
    await db.query('ALTER TABLE messages ADD COLUMN run_id uuid');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE messages DROP COLUMN run_id');
    await db.query('ALTER TABLE threads DROP COLUMN has_runs, DROP COLUMN replied_at');
    await db.query('DROP INDEX accounts_wakes, scenarios_wakes');
    await db.query('ALTER TABLE accounts DROP COLUMN automation_paused, DROP COLUMN wake_at');
    await db.query('ALTER TABLE statuses DROP COLUMN starts_runs');
    await db.query('DROP TABLE scenario_queues, scenario_runs, scenario_revisions');
    await db.query('DROP INDEX scenarios_status');
    await db.query(`
      ALTER TABLE scenarios ALTER COLUMN enabled SET DEFAULT true,
        DROP COLUMN assistant_id, DROP COLUMN state, DROP COLUMN "order", DROP COLUMN on_leave, DROP COLUMN on_reply,
        DROP COLUMN on_takeover, DROP COLUMN reentry, DROP COLUMN cooldown_seconds, DROP COLUMN send_hours,
        DROP COLUMN revision, DROP COLUMN cancel_before, DROP COLUMN archived_at, DROP COLUMN wake_at, DROP COLUMN created_at, DROP COLUMN updated_at`);
    await db.query('CREATE INDEX scenarios_status ON scenarios (account_id, status_id) WHERE enabled');
    await db.query(`
      CREATE TABLE scenario_runs (
        account_id uuid NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        thread_id uuid NOT NULL,
        status_id uuid NOT NULL,
        scenario_id uuid NOT NULL,
        version bigint NOT NULL,
        state text NOT NULL DEFAULT 'due' CONSTRAINT scenario_runs_state_check CHECK (state IN ('due', 'done')),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id)
      )`);
    await db.query(
      'CREATE UNIQUE INDEX scenario_runs_once ON scenario_runs (account_id, thread_id, version, scenario_id)',
    );
    await db.query(`CREATE INDEX scenario_runs_due ON scenario_runs (created_at) WHERE state = 'due'`);
  }
}
