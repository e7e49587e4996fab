import { StartError } from '@app/contracts/coded.errors';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { Client } from 'pg';
import { REFUSES_CHANGES, WRITE_TO_DISK, WRITES_TO_DISK } from './disk-proof';
import { CONNECTION_LIMITS, dataSourceOptions } from './data-source-options';
import { DatabaseUnavailableError } from './database.errors';
import { sinceBaseline } from './schema-history';
import { connectionTo } from './connection-address';

/** An arbitrary constant that nothing else in this database uses. */
const MIGRATION_LOCK = 7_201_994_311;

/** Building an index on a large table may take longer than a request may. */
const LIMITS = {
  ...CONNECTION_LIMITS,
  statement_timeout: 0,
  query_timeout: 0,
  lock_timeout: 30_000,
  connectionTimeoutMillis: 10_000,
};

/** `pg` omits a zero, so the database's or its address's default limit would apply. */
const SETTINGS = ['statement_timeout=0'];
const NAME = 'leadline migrations';

/** The connection settings for migrations. */
export const MIGRATION_SESSION = { applicationName: NAME, limits: LIMITS, settings: SETTINGS };

const withDataSource = async <T>(url: string, act: (dataSource: DataSource) => Promise<T>): Promise<T> => {
  const dataSource = new DataSource(dataSourceOptions({ url, poolSize: 1, ...MIGRATION_SESSION }));
  await dataSource.initialize();
  try {
    return await act(dataSource);
  } finally {
    await dataSource.destroy();
  }
};

/**
 * In another encoding, each write of a name in another alphabet would fail.
 * @throws StartError
 */
export async function requireUtf8(dataSource: DataSource): Promise<void> {
  const [found] = await dataSource.query<{ server_encoding: string }[]>('SHOW server_encoding');
  const encoding = found?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new StartError(
    `The database that DATABASE_URL names keeps text as ${encoding}: make one in UTF-8, with createdb --encoding UTF8 --template template0.`,
  );
}

/**
 * That the database takes changes; it may have no schema yet.
 * @throws what PostgreSQL says where it does not, as `refusesChanges` knows it
 */
export async function requireWritable(url: string): Promise<void> {
  await withDataSource(url, async (dataSource) => {
    const [found] = await dataSource.query<{ refuses: boolean }[]>(REFUSES_CHANGES);
    if (found?.refuses) throw new DatabaseUnavailableError({ code: '25006' });
    await dataSource.query(`SET ${WRITES_TO_DISK}`);
    await dataSource.query(WRITE_TO_DISK);
  });
}

/** Waits until no other process changes the schema, and lets none do so before the session ends. */
export async function lockMigrations(session: QueryRunner): Promise<void> {
  // However long the other process takes.
  await session.query('SET lock_timeout = 0');
  await session.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  await session.query(`SET lock_timeout = '30s'`);
}

/** Takes the schema as it is that migrations from before the baseline made. */
async function recordBaseline(executor: MigrationExecutor): Promise<void> {
  const ran = (await executor.getExecutedMigrations()).map(({ name }) => name);
  const counted = new Set(sinceBaseline(ran, 'database'));
  for (const migration of await executor.getPendingMigrations())
    if (counted.has(migration.name)) await executor.insertMigration(migration);
}

/**
 * Brings the schema up to date. Several processes may start at once: an advisory lock lets one of them work, and the
 * others then find nothing to do. The lock belongs to the connection that migrates, so losing the connection ends
 * both.
 * @returns the names of the migrations that this call ran.
 * @throws StartError when the database is not in UTF-8, or of a commit from before the baseline that was not the last.
 */
export async function migrate(url: string): Promise<string[]> {
  return withDataSource(url, async (dataSource) => {
    await requireUtf8(dataSource);
    const session = dataSource.createQueryRunner();
    try {
      await lockMigrations(session);
      const executor = new MigrationExecutor(dataSource, session);
      await recordBaseline(executor);
      executor.transaction = 'all';
      const ran = await executor.executePendingMigrations();
      return ran.map((migration) => migration.name);
    } finally {
      await session.release();
    }
  });
}

/**
 * Each known migration with whether this database has it, oldest first.
 * @throws StartError when it is of a commit from before the baseline that was not the last
 */
export async function migrationStatus(url: string): Promise<{ name: string; applied: boolean }[]> {
  return withDataSource(url, async (dataSource) => {
    const [known] = await dataSource.query<{ exists: boolean }[]>(
      `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
    );
    const rows = known?.exists
      ? await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id')
      : [];
    const names = rows.map((row) => row.name);
    const applied = new Set(sinceBaseline(names, 'database'));
    return dataSource.migrations.map(({ name = '' }) => ({ name, applied: applied.has(name) }));
  });
}

const NO_SUCH_DATABASE = '3D000';

/** Databases that every cluster has. */
const USUAL = ['postgres', 'template1'];

/** Makes the database that an address names, in UTF-8, where there is none. Its user must be allowed to. */
export async function createMissing(url: string): Promise<void> {
  try {
    return await using(url, async () => undefined);
  } catch (error) {
    if ((error as { code?: string }).code !== NO_SUCH_DATABASE) throw error;
  }
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  let missing: unknown;
  for (const other of USUAL) {
    const beside = new URL(url);
    beside.pathname = `/${other}`;
    try {
      return await using(beside.toString(), async (client) => {
        await client.query(
          `CREATE DATABASE ${client.escapeIdentifier(name)} ENCODING 'UTF8' TEMPLATE template0`,
        );
      });
    } catch (error) {
      if ((error as { code?: string }).code !== NO_SUCH_DATABASE) throw error;
      missing = error;
    }
  }
  throw missing;
}

async function using(url: string, act: (client: Client) => Promise<void>): Promise<void> {
  const limits = { ...CONNECTION_LIMITS, statement_timeout: 0, query_timeout: 0 };
  const client = new Client(
    connectionTo(url, { ...limits, application_name: 'leadline restore' }, ['statement_timeout=0']),
  );
  client.on('error', () => undefined);
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}
