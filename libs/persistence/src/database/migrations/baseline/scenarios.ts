/** Scenarios with their revisions and secrets, their runs, and the queue of a dialog that has runs. */
export const SCENARIOS: readonly string[] = [
  `
  CREATE TABLE scenarios (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    status_id uuid NOT NULL,
    name text NOT NULL,
    enabled boolean NOT NULL DEFAULT false,
    assistant_id uuid NOT NULL,
    state text NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'paused', 'off')),
    "order" integer NOT NULL DEFAULT 1,
    on_leave text NOT NULL DEFAULT 'cancel' CHECK (on_leave IN ('cancel', 'continue')),
    on_reply text NOT NULL DEFAULT 'continue' CHECK (on_reply IN ('continue', 'cancel')),
    on_takeover text NOT NULL DEFAULT 'wait' CHECK (on_takeover IN ('wait', 'continue', 'cancel')),
    reentry text NOT NULL DEFAULT 'restart' CHECK (reentry IN ('restart', 'ignore', 'once')),
    cooldown_seconds integer NOT NULL DEFAULT 0,
    send_hours jsonb,
    revision integer NOT NULL DEFAULT 1,
    cancel_before timestamptz,
    archived_at timestamptz,
    wake_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    stopped_by jsonb,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, status_id) REFERENCES statuses (account_id, id)
  )`,
  'CREATE INDEX scenarios_status ON scenarios (account_id, status_id, "order", id) WHERE archived_at IS NULL',
  'CREATE INDEX scenarios_wakes ON scenarios (wake_at) WHERE wake_at IS NOT NULL',
  `
  CREATE TABLE scenario_revisions (
    account_id uuid NOT NULL,
    scenario_id uuid NOT NULL,
    revision integer NOT NULL,
    steps jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, scenario_id, revision),
    CONSTRAINT scenario_revisions_scenario_fkey
      FOREIGN KEY (account_id, scenario_id) REFERENCES scenarios (account_id, id)
  )`,
  `
  CREATE TABLE scenario_secrets (
    account_id uuid NOT NULL,
    scenario_id uuid NOT NULL,
    key_id text NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (account_id, scenario_id),
    CONSTRAINT scenario_secrets_scenario_fkey
      FOREIGN KEY (account_id, scenario_id) REFERENCES scenarios (account_id, id)
  )`,
  `
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
      CHECK (state IN ('due', 'running', 'waiting', 'done', 'failed', 'cancelled')),
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
    PRIMARY KEY (account_id, id),
    CONSTRAINT scenario_runs_ended_check
      CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed', 'cancelled')))
  ) WITH (fillfactor = 80)`,
  'CREATE INDEX scenario_runs_thread ON scenario_runs (account_id, thread_id, scenario_id, started_at)',
  'CREATE INDEX scenario_runs_open ON scenario_runs (account_id, scenario_id, thread_id) WHERE finished_at IS NULL',
  'CREATE INDEX scenario_runs_scenario ON scenario_runs (account_id, scenario_id, id)',
  'CREATE INDEX scenario_runs_finished ON scenario_runs (finished_at) WHERE finished_at IS NOT NULL',
  `
  CREATE TABLE scenario_queues (
    account_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    due_at timestamptz NOT NULL,
    lease_token uuid,
    lease_until timestamptz,
    permit_until timestamptz,
    PRIMARY KEY (account_id, thread_id)
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX scenario_queues_due ON scenario_queues (account_id, due_at)',
];
