/** Addresses to which events go out, how far each has read the log, and what is on its way to it. */
export const WEBHOOKS_OUT: readonly string[] = [
  `
  CREATE TABLE webhook_endpoints (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    assistant_ids uuid[],
    max_per_second integer CHECK (max_per_second BETWEEN 1 AND 500),
    description text NOT NULL DEFAULT '',
    disabled_at timestamptz,
    disabled_reason text CHECK (disabled_reason IN ('admin', 'gone', 'failing')),
    key_id text NOT NULL,
    secret bytea NOT NULL,
    former_key_id text,
    former_secret bytea,
    former_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, id),
    CONSTRAINT webhook_endpoints_disabled_with_reason
      CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
    CONSTRAINT webhook_endpoints_former_whole
      CHECK ((former_secret IS NULL) = (former_key_id IS NULL) AND (former_secret IS NULL) = (former_until IS NULL))
  )`,
  `
  CREATE TABLE endpoint_queues (
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    events_since timestamptz NOT NULL DEFAULT clock_timestamp(),
    seq bigint NOT NULL DEFAULT 0,
    due_at timestamptz,
    lease_token uuid,
    lease_until timestamptz,
    failures integer NOT NULL DEFAULT 0,
    passed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, endpoint_id),
    CONSTRAINT endpoint_queues_endpoint_fkey
      FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints (account_id, id) ON DELETE CASCADE
  )`,
  `
  CREATE TABLE endpoint_deliveries (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    seq bigint,
    thread_id uuid NOT NULL,
    type text NOT NULL,
    event_id uuid NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'skipped')),
    due_at timestamptz,
    waits boolean NOT NULL DEFAULT false,
    replayed boolean NOT NULL DEFAULT false,
    tries integer NOT NULL DEFAULT 0,
    attempts jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    failed_at timestamptz,
    PRIMARY KEY (account_id, id),
    CONSTRAINT endpoint_deliveries_endpoint_fkey
      FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints (account_id, id) ON DELETE CASCADE,
    CONSTRAINT endpoint_deliveries_pending_is_due CHECK ((state = 'pending') = (due_at IS NOT NULL))
  )`,
  'CREATE UNIQUE INDEX endpoint_deliveries_event ON endpoint_deliveries (account_id, endpoint_id, seq)',
  'CREATE INDEX endpoint_deliveries_state ON endpoint_deliveries (account_id, endpoint_id, state, id)',
  `
  CREATE INDEX endpoint_deliveries_due
    ON endpoint_deliveries (account_id, endpoint_id, due_at)
    WHERE state = 'pending'`,
  `
  CREATE INDEX endpoint_deliveries_line
    ON endpoint_deliveries (account_id, endpoint_id, thread_id, seq)
    WHERE state = 'pending'`,
  'CREATE INDEX endpoint_deliveries_created ON endpoint_deliveries (created_at)',
  // What failed in the last hour is counted.
  'CREATE INDEX endpoint_deliveries_failed ON endpoint_deliveries (failed_at) WHERE failed_at IS NOT NULL',
];
