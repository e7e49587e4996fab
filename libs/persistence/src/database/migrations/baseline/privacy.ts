/** Dialogs without activity that could not be erased, and when that is tried again. */
export const PRIVACY: readonly string[] = [
  `
  CREATE TABLE erasure_retries (
    account_id uuid NOT NULL REFERENCES accounts (id),
    thread_id uuid NOT NULL,
    due_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, thread_id)
  )`,
  'CREATE INDEX erasure_retries_due ON erasure_retries (account_id, due_at)',
];
