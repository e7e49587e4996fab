/** The event log. */
export const EVENTS: readonly string[] = [
  `
  CREATE TABLE events (
    account_id uuid NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    thread_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    version bigint NOT NULL,
    type text NOT NULL,
    at timestamptz NOT NULL,
    body jsonb NOT NULL,
    PRIMARY KEY (account_id, thread_id, seq)
  )`,
  'CREATE INDEX events_feed ON events (seq)',
  'CREATE INDEX events_board ON events (account_id, assistant_id, seq)',
];
