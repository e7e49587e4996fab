/** What each process renews every second, and the row that holds all that acts on the outside, while there is one. */
export const WORK: readonly string[] = [
  `
  CREATE TABLE process_heartbeats (
    id uuid PRIMARY KEY,
    beats integer NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  `
  CREATE TABLE sending_holds (
    id integer PRIMARY KEY,
    held_since timestamptz NOT NULL DEFAULT clock_timestamp(),
    backup_at timestamptz NOT NULL,
    reason text NOT NULL DEFAULT 'database_restored',
    CONSTRAINT sending_holds_one CHECK (id = 1)
  )`,
];
