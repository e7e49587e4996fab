import { ApiClient, type Answer } from '../../support/clients/api.client';
import { callAuth } from '../../support/clients/session.client';
import { dumpOf } from '../../support/database/database.dump';
import { eventually } from '../../support/eventually';
import { limits, LONG_WAITS } from '../../support/programs/test.limits';
import { auditedChanges } from '../../support/scenes/audited.changes';
import { PASSWORD, PeopleScene } from '../../support/scenes/people.scene';
import { StandInProvider } from '../../support/stand-ins/provider.stand-in';

/** What is about to be called, and the action of its first entry. */
interface Prepared {
  name: string;
  action: string;
  call: () => Promise<Answer>;
}

/** So many calls stand before their entries at once. */
const AT_ONCE = 20;

/** All may wait for locks at once. */
const MANY_WAITS = { ...LONG_WAITS, ...limits({ 'statements.slotsOfAccounts': 3 * AT_ONCE }) };

const scene = new PeopleScene({ ownServer: true });
let provider: StandInProvider;
const { changes, invite } = auditedChanges(scene, () => provider);
const prepared: Prepared[] = [];
const url = (): string => scene.servers.at(-1)!.url;

const addServer = () =>
  scene.addServer({
    ...MANY_WAITS,
    CLOUD_API_URL: provider.url,
    GUPSHUP_API_URL: provider.url,
  });

beforeAll(async () => {
  provider = await StandInProvider.open();
  await scene.start();
  await scene.servers.pop()?.kill('SIGKILL');
  await addServer();
  for (const [name, { arrange, actions }] of Object.entries(changes)) {
    const [{ path, body, as }, [method = '']] = [await arrange(), name.split(' ')];
    const caller = () => as?.at(url()) ?? new ApiClient(url(), scene.adminKey);
    prepared.push({ name, action: actions[0] ?? '', call: () => caller().call(path, body, method) });
  }
  const { email } = await scene.join();
  const { token } = await invite();
  const signIn = () => callAuth(url(), 'sign-in', { email, password: PASSWORD });
  const accept = () => callAuth(url(), 'accept-invitation', { token, password: PASSWORD });
  prepared.push({ name: 'POST auth/sign-in', action: 'session.create', call: signIn });
  prepared.push({ name: 'POST auth/accept-invitation', action: 'user.accept_invitation', call: accept });
}, 60_000);

afterAll(async () => {
  await scene.close();
  await provider?.close();
});

const AS_TEXT = (table: string, id: string, ...without: string[]) =>
  `SELECT string_agg((to_jsonb(t) - ARRAY['${without.join("','")}'])::text, E'\\n' ORDER BY ${id}) AS rows FROM ${table} t`;

/**
 * All rows, but for what any call leaves: when its session was seen last, that it was a try, and a code as used; and but
 * for which process holds an endpoint.
 */
async function rows(): Promise<Record<string, string | undefined>> {
  const { pool } = scene.database;
  const { sign_in_tries: _tries, ...dump } = await dumpOf(pool);
  const less = {
    user_sessions: AS_TEXT('user_sessions', 'id', 'last_seen_at'),
    users: AS_TEXT('users', 'id', 'second_factor_step'),
    endpoint_queues: AS_TEXT('endpoint_queues', 'endpoint_id', 'lease_token', 'lease_until'),
  };
  for (const [table, sql] of Object.entries(less))
    dump[table] = (await pool.query<{ rows: string }>(sql)).rows[0]?.rows ?? '';
  return dump;
}

const plant = (body: string) =>
  scene.database.pool.query(`
    CREATE OR REPLACE FUNCTION at_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$;
    CREATE OR REPLACE TRIGGER at_entry BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION at_entry()`);

/** Endpoints take over what was prepared in the background. A code that was given is used up, also where the call failed. */
beforeEach(async () => {
  const { pool } = scene.database;
  const behind = `SELECT FROM endpoint_queues q JOIN events e USING (account_id) WHERE e.seq > q.seq LIMIT 1`;
  const caughtUp = async () => (await pool.query(behind)).rowCount === 0;
  await eventually(caughtUp, 30_000, 'the endpoints did not take over the log');
  await pool.query('UPDATE users SET second_factor_step = NULL');
});

it('no operation changes anything where its entry cannot be written', async () => {
  await plant(`RAISE 'no room'`);
  const before = await rows();
  const statuses: [string, number][] = [];
  for (const { name, call } of prepared) statuses.push([name, (await call()).status]);
  expect(statuses.filter(([, status]) => status !== 500)).toEqual([]);
  expect(await rows()).toEqual(before);
});

it('kill -9 of the process whose change stands before its entry leaves neither, for each operation', async () => {
  const { pool } = scene.database;
  await plant(`PERFORM pg_advisory_xact_lock_shared(17, hashtext(NEW.action))`);
  const before = await rows();
  const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  /** Those that stand before their entries; others wait for a row that one of them has locked. */
  const atEntry = `SELECT objid::int8 FROM pg_locks WHERE locktype = 'advisory' AND classid = 17 AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const holder = await pool.connect();
  try {
    for (const { action } of prepared)
      await holder.query('SELECT pg_advisory_lock(17, hashtext($1))', [action]);
    for (let left = prepared; left.length > 0;) {
      const wave = left.slice(0, AT_ONCE);
      const cut = wave.map(({ call }) => call().catch(() => null));
      const stand = async () => (await pool.query(`SELECT pid ${waiting}`)).rows.length >= wave.length;
      await eventually(stand, 30_000, `not all came to a lock: ${wave.map(({ name }) => name).join()}`);
      const { rows: reached } = await pool.query<{ action: string; n: number }>(
        `SELECT a AS action, count(*)::int AS n FROM (${atEntry}) l
           JOIN unnest($1::text[]) a ON hashtext(a)::int8 & x'ffffffff'::int8 = l.objid GROUP BY a`,
        [[...new Set(wave.map(({ action }) => action))]],
      );
      const isAtEntry = ({ action }: Prepared): boolean =>
        wave.filter((other) => other.action === action).length ===
        reached.find((each) => each.action === action)?.n;
      expect(wave.filter(isAtEntry)).not.toEqual([]);
      left = [...wave.filter((each) => !isAtEntry(each)), ...left.slice(AT_ONCE)].toSorted(
        (one, other) => Number(wave.includes(one)) - Number(wave.includes(other)),
      );
      await scene.servers.pop()?.kill('SIGKILL');
      await pool.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
      expect((await Promise.all(cut)).filter((answer) => answer !== null)).toEqual([]);
      await addServer();
    }
    const gone = async () => (await pool.query(`SELECT pid ${waiting}`)).rows.length === 0;
    await eventually(gone, 5_000, 'a backend still waits');
    expect(await rows()).toEqual(before);
  } finally {
    await holder.query('SELECT pg_advisory_unlock_all()');
    holder.release();
  }
}, 120_000);
