import { eventually } from '../../support/eventually';
import { FREQUENT_RETENTION } from '../../support/programs/test.limits';
import { setScene } from '../../support/scenes/base.scene';

const DONE_WITHIN_MS = 20_000;
/** More than one statement may delete. */
const MANY = 4_000;

/** Two years of the calendar back from now: a day more where they have a 29th of February. */
function daysOfTwoYears(now = new Date()): number {
  const then = new Date(now);
  then.setUTCFullYear(now.getUTCFullYear() - 2);
  // From a 29th of February it has gone over to March; PostgreSQL stays in February.
  if (then.getUTCMonth() !== now.getUTCMonth()) then.setUTCDate(0);
  return Math.round((+now - +then) / 86_400_000);
}

/** With a separate output, because processes of other tests run from ours. */
const KEPT: Record<string, { days: number; insert: string }> = {
  idempotency_keys: {
    days: 1.1,
    insert: `INSERT INTO idempotency_keys (account_id, operation, key, fingerprint, message_id, created_at)
             SELECT $1, 'send-template', 'key ' || $4::float8 || n, '\\x00', $2, clock_timestamp() - $4::float8 * interval '1 day'
               FROM generate_series(1, $3::int) n`,
  },
  parked_states: {
    days: 14,
    insert: `INSERT INTO parked_states (account_id, bot_id, channel, provider_id, state, body, next_check_at, created_at)
             SELECT $1, $2, 'waba_coexistence', 'id ' || $4::float8 || n, 'sent', '{}', NULL, clock_timestamp() - $4::float8 * interval '1 day'
               FROM generate_series(1, $3::int) n`,
  },
  webhook_marks: {
    days: 14,
    insert: `INSERT INTO webhook_marks (account_id, mark, created_at)
             SELECT $1, convert_to($2::uuid || ' ' || $4::float8 || n, 'UTF8'), clock_timestamp() - $4::float8 * interval '1 day'
               FROM generate_series(1, $3::int) n`,
  },
  replies: {
    days: 7,
    insert: `INSERT INTO replies (account_id, thread_id, message_id, epoch, state, due_at, created_at)
             SELECT $1, $2, gen_random_uuid(), 0, 'answered', clock_timestamp(), clock_timestamp() - $4::float8 * interval '1 day'
               FROM generate_series(1, $3::int) n`,
  },
  scenario_runs: {
    days: 180,
    insert: `INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, state, cause, due_since, started_at, finished_at)
             SELECT $1, gen_random_uuid(), gen_random_uuid(), $2, $2, now(), 1, 'done', '{}', now(), now(), clock_timestamp() - $4::float8 * interval '1 day'
               FROM generate_series(1, $3::int) n`,
  },
  audit_entries: {
    days: daysOfTwoYears(),
    insert: `INSERT INTO audit_entries (account_id, id, action, subject_type, subject_id, at)
             SELECT $1, gen_random_uuid(), 'key.update', 'key', $2::uuid::text, clock_timestamp() - $4::float8 * interval '1 day'
               FROM generate_series(1, $3::int) n`,
  },
  webhook_rejects: {
    days: 30,
    insert: `INSERT INTO webhook_rejects (id, account_id, bot_id, provider, delivery_id, path, reason, item, received_at, created_at)
             SELECT gen_random_uuid(), $1, $2, 'cloud', -n, $4::float8::text, 'r', ($4::float8 || ' ' || n)::bytea, clock_timestamp(),
                    clock_timestamp() - $4::float8 * interval '1 day'
               FROM generate_series(1, $3::int) n`,
  },
  endpoint_deliveries: {
    days: 30,
    insert: `WITH endpoint AS (
               INSERT INTO webhook_endpoints (account_id, id, url, events, key_id, secret)
               VALUES ($1, $2, 'https://example.com/', '{*}', 'none', '') ON CONFLICT DO NOTHING)
             INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, thread_id, type, event_id, state, attempts, created_at)
             SELECT $1, gen_random_uuid(), $2, $2, 'lead.created', $2, 'failed',
                    jsonb_build_array(jsonb_build_object('at', clock_timestamp() - $4::float8 * interval '1 day')),
                    clock_timestamp() - interval '40 days'
               FROM generate_series(1, $3::int) n`,
  },
  webhook_deliveries: {
    days: 7,
    insert: `INSERT INTO webhook_deliveries (bot_id, provider, body, state, received_at)
             SELECT $2, 'cloud', $1::uuid::text::bytea, 'done', clock_timestamp() - $4::float8 * interval '1 day'
               FROM generate_series(1, $3::int)`,
  },
};
const TABLES = Object.keys(KEPT);
/** Nothing can be deleted from it. */
const STUCK = 'webhook_marks';
const CLEARED = TABLES.filter((table) => table !== STUCK);

describe('retention', () => {
  const scene = setScene({ servers: 0, environment: FREQUENT_RETENTION });

  const left = async (table: string): Promise<number> => {
    const { rows } = await scene.database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table}`,
    );
    return rows[0]?.n ?? 0;
  };
  /** What PostgreSQL counted of each table: how often it was read as a whole, and how many rows were deleted. */
  const counted = async (): Promise<Map<string, { seq_scan: number; n_tup_del: number }>> => {
    const { rows } = await scene.database.pool.query<{
      relname: string;
      seq_scan: number;
      n_tup_del: number;
    }>('SELECT relname, seq_scan::int, n_tup_del::int FROM pg_stat_user_tables');
    return new Map(rows.map(({ relname, ...counts }) => [relname, counts]));
  };
  let atFirst: Awaited<ReturnType<typeof counted>>;
  const untilLeft = (table: string, count: number): Promise<boolean> =>
    eventually(async () => (await left(table)) === count, DONE_WITHIN_MS, `${table} was not cleared`);

  beforeAll(async () => {
    const { pool } = scene.database;
    for (const { days, insert } of Object.values(KEPT)) {
      await pool.query(insert, [scene.account.id, scene.account.botId, MANY, days + 0.01]);
      await pool.query(insert, [scene.account.id, scene.account.botId, 3, days - 0.1]);
    }
    await pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it is stuck'; END $$;
      CREATE TRIGGER stuck BEFORE DELETE ON ${STUCK} FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await pool.query(`ANALYZE ${TABLES.join(', ')}`);
    atFirst = await counted();
    await scene.addServer();
  });

  it.each(CLEARED)('reads %s by an index, and never as a whole', async (table) => {
    let now = atFirst.get(table);
    const isCleared = async (): Promise<boolean> => {
      now = (await counted()).get(table);
      return (now?.n_tup_del ?? 0) >= MANY;
    };
    await eventually(isCleared, DONE_WITHIN_MS, `${table} was not cleared`);
    expect(now?.seq_scan).toBe(atFirst.get(table)?.seq_scan);
  });

  it.each(CLEARED)(
    'deletes everything of %s whose time is over, however much, and nothing else, while another table is stuck',
    (table) => untilLeft(table, 3),
  );

  it('says in the log what it could not delete', async () => {
    const said = (): boolean => scene.server.output().includes('it is stuck');
    await eventually(() => Promise.resolve(said()), DONE_WITHIN_MS, 'nothing was said');
    expect(await left(STUCK)).toBe(MANY + 3);
  });

  it('deletes later what it could not', async () => {
    await scene.database.pool.query(`DROP TRIGGER stuck ON ${STUCK}`);
    await untilLeft(STUCK, 3);
  });
});
