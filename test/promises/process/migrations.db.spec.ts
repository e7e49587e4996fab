import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmptyDatabase } from '@app/persistence/backup/empty-database';
import { migrate, migrationStatus } from '@app/persistence/database/migration-runner';
import { explainStart } from '../../../apps/server/src/start-explanation';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { describeSchema } from '../../support/database/schema.description';
import { CLUSTERS, createDatabase, type TestDatabase } from '../../support/database/test.database';
import { untilWaiting } from '../../support/faults/waiting.sessions';

const PREPARATION = join(__dirname, '../../../dist/libs/domain/src/schema/schema.service.js');
const RUNNER = join(__dirname, '../../../dist/libs/persistence/src/database/migration-runner.js');
const PROCESSES = IS_LONG ? 4 : 2;
const BASELINE = 'Baseline1764093600000';
/** Of the migrations before the baseline the first, and the newest two. */
const FORMER = ['Foundation1763683200000', 'ProcessHeartbeats1764089000000', 'OpeningHours1764090000000'];

let database: TestDatabase;

afterEach(() => database?.drop());

const count = async (sql: string): Promise<number> =>
  (await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]?.n ?? NaN;

const names = async (): Promise<string[]> =>
  (await database.pool.query<{ name: string }>('SELECT name FROM migrations ORDER BY id')).rows.map(
    ({ name }) => name,
  );

describe.each(CLUSTERS)('the schema, on an empty PostgreSQL $name,', ({ name }) => {
  beforeEach(async () => {
    database = await createDatabase(name, { empty: true });
  });

  it('is made once where processes start at once on an empty database, and all find it made', async () => {
    const script = `require(process.argv[1]).bringSchemaUpToDate(process.argv[3]).then(
      async (ran) => console.log(JSON.stringify({ ran, status: await require(process.argv[2]).migrationStatus(process.argv[3]) })),
      (error) => { console.error(error); process.exitCode = 1; })`;
    const outputs = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        promisify(execFile)(process.execPath, ['-e', script, PREPARATION, RUNNER, database.url]),
      ),
    );
    const results = outputs.map(
      ({ stdout }) => JSON.parse(stdout) as { ran: string[]; status: { name: string; applied: boolean }[] },
    );
    const made = await names();
    expect(made[0]).toBe(BASELINE);
    expect(new Set(made).size).toBe(made.length);
    expect(results.flatMap(({ ran }) => ran)).toEqual(made);
    for (const { status } of results) expect(status.every(({ applied }) => applied)).toBe(true);
  });

  it('is not begun by a migration that loses the lock that keeps others out', async () => {
    const other = await database.pool.connect();
    await other.query('BEGIN');
    // The migration waits for this name to be free.
    await other.query('CREATE TABLE migrations (id int)');
    const outcome = migrate(database.url).then(
      () => 'migrated',
      () => 'failed',
    );
    await untilWaiting(database.pool, 1, { words: 'CREATE' });
    const holders = `pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
      WHERE l.locktype = 'advisory' AND l.granted`;
    expect(await count(`(SELECT pg_terminate_backend(l.pid) FROM ${holders}) t`)).toBe(1);
    await eventually(async () => (await count(holders)) === 0, 10_000, 'the lock was not lost');
    await other.query('ROLLBACK');
    other.release();
    expect(await outcome).toBe('failed');
    expect(await count(`pg_class WHERE relnamespace = 'public'::regnamespace`)).toBe(0);
    expect(await migrate(database.url)).not.toEqual([]);
  });
});

describe.each(CLUSTERS)('a database from before the baseline, on PostgreSQL $name,', ({ name }) => {
  let before: string;

  /** As the migrations before the baseline left it, which made the same schema. */
  const become = async (ran: readonly string[]): Promise<void> => {
    await database.pool.query('DELETE FROM migrations');
    await database.pool.query(
      'INSERT INTO migrations (timestamp, name) SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) name',
      [ran],
    );
  };
  /** All that there is but the list of migrations, with a row. */
  const state = async (): Promise<string> =>
    JSON.stringify([
      await describeSchema(database.pool),
      (await database.pool.query('SELECT oid, relfilenode FROM pg_class ORDER BY oid')).rows,
      (await database.pool.query('SELECT ctid, xmin, * FROM accounts')).rows,
    ]);

  beforeEach(async () => {
    database = await createDatabase(name);
    await database.pool.query(`INSERT INTO accounts (id, name) VALUES (gen_random_uuid(), 'kept')`);
    await become(FORMER);
    before = await state();
  });

  it('is taken as it is, also by two at once: the baseline is recorded, and executes nothing', async () => {
    expect(await Promise.all([migrate(database.url), migrate(database.url)])).toEqual([[], []]);
    expect(await state()).toBe(before);
    expect(await names()).toEqual([...FORMER, BASELINE]);
    expect(await migrationStatus(database.url)).toEqual([{ name: BASELINE, applied: true }]);
    expect(await migrate(database.url)).toEqual([]);
  });

  it.each(FORMER.slice(1))('is refused, and left as it was, where %s has not run', async (missing) => {
    const ran = FORMER.filter((known) => known !== missing);
    await become(ran);
    await expect(migrate(database.url)).rejects.toThrow(
      /^The database that DATABASE_URL names is of a commit before .*: start commit \w+ on it once, then this version\.$/,
    );
    expect(await state()).toBe(before);
    expect(await names()).toEqual(ran);
  });

  it('has a backup that is restored, and an earlier one is refused', async () => {
    await database.drop();
    database = await createDatabase(name, { empty: true });
    const fill = (migrations: string[]): Promise<unknown> => {
      const facts = { at: new Date(), migrations, tables: [] };
      const nothing = () => Promise.resolve();
      return EmptyDatabase.fill(database.url, facts, nothing, nothing);
    };
    await expect(fill(FORMER.slice(0, 2))).rejects.toThrow(/^The backup is of a commit before /);
    expect(await count(`pg_class WHERE relnamespace = 'public'::regnamespace`)).toBe(0);
    expect(await fill([...FORMER, BASELINE])).toBeNull();
    expect(await names()).toEqual([BASELINE]);
  });
});

describe.each(CLUSTERS)(
  'a database of PostgreSQL $name that cannot be brought up to date',
  ({ name, url: known }) => {
    const told = (url: string): Promise<string> =>
      migrate(url).then(
        () => 'migrated',
        (error: unknown) => explainStart(error),
      );
    const changed = (address: string, change: (url: URL) => void): string => {
      const url = new URL(address);
      change(url);
      return url.toString();
    };

    beforeEach(async () => {
      database = await createDatabase(name, { empty: true });
    });

    it.each<[string, (url: URL) => void, RegExp]>([
      [
        'the password is wrong',
        (url) => void (url.password = 'wrong'),
        / refuses: password authentication failed .* the user and password in DATABASE_URL\.$/,
      ],
      [
        'it does not exist',
        (url) => void (url.pathname = '/none'),
        / refuses: database "none" does not exist.* name in DATABASE_URL\.$/,
      ],
      [
        'it speaks no TLS',
        (url) => void (url.search = '?sslmode=verify-full'),
        / refuses: The server does not support SSL connections\. .* sslmode out of DATABASE_URL\.$/,
      ],
      [
        'its host has no address',
        (url) => void (url.hostname = 'none.invalid'),
        / cannot be reached \((ENOTFOUND|EAI_AGAIN)\).* its password must be percent-encoded\.$/,
      ],
    ])('says in one line that names DATABASE_URL that %s', async (_what, change, line) => {
      const said = await told(changed(known, change));
      expect(said).toMatch(/^The database that DATABASE_URL names .+$/);
      expect(said).toMatch(line);
    });

    it('says who must own it to a user who may not create tables', async () => {
      const user = `poor_${process.pid}`;
      await database.pool.query(`CREATE ROLE ${user} LOGIN PASSWORD 'poor'`);
      const asPoor = (url: URL): unknown => ([url.username, url.password] = [user, 'poor']);
      const said = await told(changed(database.url, asPoor));
      await database.pool.query(`DROP ROLE ${user}`);
      expect(said).toMatch(
        /^.*DATABASE_URL .* permission denied for schema public.* owner of the database.*$/,
      );
    });

    it('is refused, and left as it was, where it cannot keep every alphabet', async () => {
      const latin = await createDatabase(name, { empty: true, encoding: 'LATIN1' });
      const said = await told(latin.url);
      const { rows } = await latin.pool.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
      await latin.drop();
      expect(said).toBe(
        'The database that DATABASE_URL names keeps text as LATIN1: make one in UTF-8, with createdb --encoding UTF8 --template template0.',
      );
      expect(rows).toEqual([]);
    });
  },
);
