/** Imports of leads from files: how far they are, their rows that are still to be taken in, and what was wrong. */
export const TRANSFER: readonly string[] = [
  `
  CREATE TABLE imports (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    bot_id uuid NOT NULL,
    channel text NOT NULL,
    dry_run boolean NOT NULL,
    start_scenarios boolean NOT NULL,
    set_by text NOT NULL,
    actor jsonb NOT NULL,
    request_id text,
    state text NOT NULL DEFAULT 'loading'
      CHECK (state IN ('loading', 'running', 'done', 'failed', 'cancelled')),
    failure text,
    rows integer NOT NULL DEFAULT 0,
    done integer NOT NULL DEFAULT 0,
    created_rows integer NOT NULL DEFAULT 0,
    moved_rows integer NOT NULL DEFAULT 0,
    unchanged_rows integer NOT NULL DEFAULT 0,
    faulty_rows integer NOT NULL DEFAULT 0,
    would_run integer NOT NULL DEFAULT 0,
    would_send integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease_token uuid,
    lease_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz,
    ignored_columns text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, assistant_id) REFERENCES assistants (account_id, id),
    FOREIGN KEY (account_id, bot_id) REFERENCES bots (account_id, id),
    CONSTRAINT imports_counts_check
      CHECK (done = created_rows + moved_rows + unchanged_rows + faulty_rows),
    CONSTRAINT imports_failure_check CHECK ((failure IS NOT NULL) = (state = 'failed')),
    CONSTRAINT imports_ended_check
      CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed', 'cancelled')))
  )`,
  `CREATE INDEX imports_due ON imports (account_id, due_at) WHERE state = 'running'`,
  'CREATE INDEX imports_old ON imports (created_at)',
  `
  CREATE TABLE import_chunks (
    account_id uuid NOT NULL,
    import_id uuid NOT NULL,
    first_row integer NOT NULL,
    rows jsonb,
    faults jsonb,
    PRIMARY KEY (account_id, import_id, first_row),
    FOREIGN KEY (account_id, import_id) REFERENCES imports (account_id, id) ON DELETE CASCADE
  )`,
];
