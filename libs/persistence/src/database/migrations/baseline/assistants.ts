/** Agents, the stages of their funnels, and their tools besides the built-in ones. */
export const ASSISTANTS: readonly string[] = [
  `
  CREATE TABLE assistants (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    auto_return_minutes integer NOT NULL DEFAULT 30 CHECK (auto_return_minutes BETWEEN 1 AND 10080),
    instructions text NOT NULL DEFAULT '',
    model text,
    reply_delay_ms integer CHECK (reply_delay_ms BETWEEN 0 AND 600000),
    reply_parts_max integer NOT NULL DEFAULT 3 CHECK (reply_parts_max BETWEEN 1 AND 10),
    reply_characters_max integer NOT NULL DEFAULT 2000 CHECK (reply_characters_max BETWEEN 1 AND 20000),
    replies_per_hour integer NOT NULL DEFAULT 60 CHECK (replies_per_hour BETWEEN 1 AND 1000),
    barred_kinds text[] NOT NULL DEFAULT '{}'
      CHECK (barred_kinds <@ ARRAY['active', 'qualified', 'awaiting_payment', 'success', 'failure']),
    handover_text text,
    model_options jsonb,
    vision boolean NOT NULL DEFAULT false,
    PRIMARY KEY (account_id, id)
  )`,
  `
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
    on_enter text CHECK (on_enter IN ('ai', 'operator')),
    starts_runs boolean NOT NULL DEFAULT false,
    moved_to uuid,
    archived_by jsonb,
    emptying_until timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, assistant_id) REFERENCES assistants (account_id, id)
  )`,
  'CREATE INDEX statuses_funnel ON statuses (account_id, assistant_id, "order", id)',
  'CREATE INDEX statuses_emptying ON statuses (account_id, id) WHERE emptying_until IS NOT NULL',
  // `parameters` is no jsonb: a model reads the fields in the order in which they were given.
  `
  CREATE TABLE assistant_tools (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    name text NOT NULL CHECK (name ~ '^[a-z_][a-z0-9_]{0,63}$'),
    description text NOT NULL,
    method text NOT NULL CHECK (method IN ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
    url text NOT NULL,
    parameters json NOT NULL,
    auto_fill jsonb NOT NULL,
    header_names text[] NOT NULL,
    headers_key_id text,
    headers bytea,
    timeout_ms integer NOT NULL CHECK (timeout_ms BETWEEN 1000 AND 30000),
    enabled boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, assistant_id) REFERENCES assistants (account_id, id),
    CONSTRAINT assistant_tools_headers_with_key CHECK ((headers IS NULL) = (headers_key_id IS NULL))
  )`,
  'CREATE UNIQUE INDEX assistant_tools_name ON assistant_tools (account_id, assistant_id, name)',
];
