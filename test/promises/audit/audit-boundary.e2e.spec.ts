import type { Answer } from '../../support/clients/api.client';
import { Authenticator } from '../../support/clients/authenticator';
import { callOf, catalogOf, idsOf, kindOf } from '../../support/clients/catalog.calls';
import { callAuth, PASSWORD } from '../../support/clients/session.client';
import { lastingRowsOf } from '../../support/database/database.dump';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { limits, LONG_WAITS } from '../../support/programs/test.limits';
import { setAccessScene } from '../../support/scenes/access.scene';

/** What is about to be called, and the action of its first entry. */
interface Prepared {
  name: string;
  action: string;
  call: () => Promise<Answer>;
}

/** So many calls stand before their entries at once. */
const AT_ONCE = 45;
/** Of things. */
const SETS = 4;

/** All may wait for locks at once. */
const MANY_WAITS = { ...LONG_WAITS, ...limits({ 'statements.slotsOfAccounts': 3 * AT_ONCE }) };

const scene = setAccessScene({ environment: MANY_WAITS });
const prepared: Prepared[] = [];
const url = (): string => scene.servers.at(-1)!.url;

beforeAll(async () => {
  const { account, database } = scene;
  const admin = await scene.key('an admin key', ['admin']);
  // Of several agents, so that calls that come one after the other do not wait for each other's rows.
  const sets = [await scene.thingsOf()];
  while (sets.length < SETS) sets.push(await scene.thingsOf(account, await account.addAssistant()));
  const audited = (await catalogOf(url())).filter(({ row }) => row.audit && !row.here);
  for (const [index, operation] of audited.entries()) {
    const { title, method, row } = operation;
    // A key has the first agent.
    const own = { ...sets[row.who === 'lead' ? 0 : index % SETS]! };
    const person = row.who === 'person' ? await scene.person('', 'admin') : null;
    if (person?.session) own.session = await scene.addSession(account.id, person.session.userId);
    const [id = ''] = idsOf(operation);
    if (row.before) await database.pool.query(row.before, [account.id, own[kindOf(id)]]);
    const by = row.who === 'lead' ? { headers: { 'X-API-Key': account.key } } : (person ?? admin);
    const { path, body } = callOf(operation, own);
    const headers = () => ({ ...by.headers, ...(person && { Origin: url() }) });
    const call = () => scene.call({ headers: headers() }, method, path, body);
    prepared.push({ name: title, action: String(row.audit), call });
  }
  const { email } = await scene.join();
  const { token } = await scene.invite();
  const session = await scene.join();
  const app = await Authenticator.enable(session);
  prepared.push(
    {
      ...{ name: 'POST auth/sign-in', action: 'session.create' },
      call: () => callAuth(url(), 'sign-in', { email, password: PASSWORD }),
    },
    {
      ...{ name: 'POST auth/accept-invitation', action: 'user.accept_invitation' },
      call: () => callAuth(url(), 'accept-invitation', { token, password: PASSWORD }),
    },
    {
      ...{ name: 'POST auth/second-factor/disable', action: 'second_factor.disable' },
      // The code as it is when the call is made: it is good for a minute.
      call: () =>
        session.at(url()).call('auth/second-factor/disable', { password: PASSWORD, code: app.code() }),
    },
  );
});

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
  const before = await lastingRowsOf(scene.database.pool);
  const statuses: [string, number][] = [];
  for (const { name, call } of prepared) statuses.push([name, (await call()).status]);
  expect(statuses.filter(([, status]) => status !== 500)).toEqual([]);
  expect(await lastingRowsOf(scene.database.pool)).toEqual(before);
});

// Change and entry are one transaction, as the test before shows of each: one kill amid many of them, each in long runs.
it('kill -9 of the process whose changes stand before their entries leaves neither', async () => {
  const { pool } = scene.database;
  await plant(`PERFORM pg_advisory_xact_lock_shared(17, hashtext(NEW.action))`);
  const before = await lastingRowsOf(scene.database.pool);
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
      expect(wave.filter(isAtEntry).length).toBeGreaterThan(IS_LONG ? 0 : 15);
      left = [...wave.filter((each) => !isAtEntry(each)), ...left.slice(AT_ONCE)].toSorted(
        (one, other) => Number(wave.includes(one)) - Number(wave.includes(other)),
      );
      await scene.servers.pop()?.kill('SIGKILL');
      await pool.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
      expect((await Promise.all(cut)).filter((answer) => answer !== null)).toEqual([]);
      if (!IS_LONG) break;
      await scene.addServer();
    }
    const gone = async () => (await pool.query(`SELECT pid ${waiting}`)).rows.length === 0;
    await eventually(gone, 5_000, 'a backend still waits');
    expect(await lastingRowsOf(scene.database.pool)).toEqual(before);
  } finally {
    await holder.query('SELECT pg_advisory_unlock_all()');
    holder.release();
  }
});
