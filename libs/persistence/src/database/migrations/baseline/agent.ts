/** The agent's replies, with their leases. */
export const AGENT: readonly string[] = [
  `
  CREATE TABLE replies (
    account_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    thread_id uuid NOT NULL,
    message_id uuid NOT NULL,
    epoch bigint NOT NULL,
    state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'answered', 'discarded', 'failed')),
    due_at timestamptz NOT NULL,
    part_sent boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease_token uuid,
    lease_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    parts integer NOT NULL DEFAULT 0,
    tool_calls integer NOT NULL DEFAULT 0,
    model_failures integer NOT NULL DEFAULT 0,
    trace text,
    waits_until timestamptz,
    failure text,
    PRIMARY KEY (account_id, id),
    CONSTRAINT replies_lease_with_end CHECK ((lease_token IS NULL) = (lease_until IS NULL))
  )`,
  'CREATE UNIQUE INDEX replies_message ON replies (account_id, message_id)',
  'CREATE INDEX replies_thread ON replies (account_id, thread_id, id DESC)',
  `CREATE INDEX replies_over ON replies (created_at) WHERE state <> 'due'`,
  'CREATE INDEX replies_leased ON replies (account_id) WHERE lease_token IS NOT NULL',
  // Due replies are found account by account.
  `CREATE INDEX replies_due ON replies (account_id, due_at) WHERE state = 'due'`,
];
