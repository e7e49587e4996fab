import type { Pool } from 'pg';

/** Counters: an admitted call moves them, whatever becomes of it. */
const COUNTERS = ['rate_windows', 'rate_counters'];
/** What processes renew every second, whatever happens. */
const HEARTBEATS = 'process_heartbeats';
/** Figures and what is searched: they follow from the other tables, and a worker writes them some seconds after an event. */
const FOLLOWING = ['figure_positions', 'figure_stays', 'figure_messages', 'search_queue', 'thread_search'];
/** Entries that say that a call was refused. */
const REFUSALS = `t.action IN ('access.refused', 'session.refused')`;

const TABLES = `
  SELECT format('%I', relname) AS name FROM pg_class
   WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
     AND relname <> '${HEARTBEATS}' ORDER BY relname`;

/** Every row of every table as text, by table, but for heartbeats. */
export async function everyRowOf(db: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(TABLES);
  const rows = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, coalesce(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C"), '') AS rows FROM ${name} t`,
  );
  const all = await db.query<{ name: string; rows: string }>(`${rows.join(' UNION ALL ')} ORDER BY name`);
  return Object.fromEntries(all.rows.map((table) => [table.name, table.rows]));
}

/**
 * Every row of every table as text, by table; without what follows from other tables, without refusals in the audit, and
 * without the counters of admitted calls unless asked for.
 */
export async function dumpOf(db: Pool, { withCounters = false } = {}): Promise<Record<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(TABLES);
  const parts = tables
    .filter(({ name }) => !FOLLOWING.includes(name))
    .filter(({ name }) => withCounters || !COUNTERS.includes(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS rows
           FROM ${name} t ${name === 'audit_entries' ? `WHERE NOT ${REFUSALS}` : ''}`,
    );
  const { rows } = await db.query<{ name: string; rows: string }>(
    `${parts.join(' UNION ALL ')} ORDER BY name`,
  );
  return Object.fromEntries(rows.map((table) => [table.name, table.rows]));
}

/** What any call leaves: when its key or session was seen last, and a code as used; and which process holds an endpoint. */
const OF_ANY_CALL: Record<string, string[]> = {
  api_keys: ['last_used_at'],
  endpoint_queues: ['lease_token', 'lease_until'],
  user_sessions: ['last_seen_at'],
  users: ['last_seen_at', 'second_factor_step'],
};

/** As `dumpOf`, without what any call leaves, whatever becomes of it: two that are equal say that nothing was changed. */
export async function lastingRowsOf(db: Pool): Promise<Record<string, string>> {
  const { sign_in_tries: _tries, ...dump } = await dumpOf(db);
  for (const [table, columns] of Object.entries(OF_ANY_CALL)) {
    const { rows } = await db.query<{ rows: string }>(
      `SELECT coalesce(string_agg((to_jsonb(t) - $1::text[])::text, E'\\n' ORDER BY (to_jsonb(t) - $1::text[])::text), '') AS rows FROM ${table} t`,
      [columns],
    );
    dump[table] = rows[0]?.rows ?? '';
  }
  return dump;
}
