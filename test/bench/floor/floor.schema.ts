/**
 * The floor's tables, in the same PostgreSQL as the service's: the least that a move of a lead can be, one changed
 * row and one row of history. Frozen like the rest of the floor.
 */
export const floorSchema = (threads: number): string[] => [
  `CREATE TABLE floor_threads (
     id uuid PRIMARY KEY, assistant_id int NOT NULL, status_id int NOT NULL, title text NOT NULL, phone text NOT NULL,
     last_message text, last_activity_at timestamptz NOT NULL, version int NOT NULL DEFAULT 1,
     updated_at timestamptz NOT NULL DEFAULT now())`,
  `INSERT INTO floor_threads
   SELECT md5('t' || i)::uuid, 1 + i % 10, (1 + i % 10) * 100 + 1 + (i / 10) % 8, 'Lead ' || i,
          '+1555' || lpad(i::text, 7, '0'), repeat('m', 80), now() - random() * 90 * interval '1 day'
     FROM generate_series(1, ${threads}) i`,
  'CREATE INDEX floor_board ON floor_threads (assistant_id, status_id, last_activity_at DESC, id DESC)',
  'CREATE INDEX floor_list ON floor_threads (assistant_id, last_activity_at DESC, id DESC)',
  `CREATE TABLE floor_history (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, thread_id uuid NOT NULL REFERENCES floor_threads (id),
     from_status int, to_status int NOT NULL, actor int, created_at timestamptz NOT NULL DEFAULT now(), payload jsonb)`,
  'CREATE INDEX floor_history_thread ON floor_history (thread_id, id DESC)',
  'VACUUM ANALYZE floor_threads',
];
