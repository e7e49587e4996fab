import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.options';

/** Any constant does, as long as nothing else in this database uses it. */
const MIGRATION_LOCK = 7_201_994_311;

const withDataSource = async <T>(url: string, act: (dataSource: DataSource) => Promise<T>): Promise<T> => {
  // Building an index on a large table may take longer than a request is allowed to.
  const limits = { statement_timeout: 0, lock_timeout: 30_000 };
  const dataSource = new DataSource(
    dataSourceOptions({ url, applicationName: 'leadline migrations', poolSize: 2, limits }),
  );
  await dataSource.initialize();
  try {
    return await act(dataSource);
  } finally {
    await dataSource.destroy();
  }
};

/**
 * Brings the schema up to date. Safe when several processes start at once: an advisory lock, which dies with its
 * connection, lets one of them work and the others find nothing left to do.
 * @returns the names of the migrations that this call ran.
 */
export async function migrate(url: string): Promise<string[]> {
  const lock = new Client({
    connectionString: url,
    application_name: 'leadline migration lock',
    connectionTimeoutMillis: 10_000,
  });
  // A connection lost while it holds the lock shows at its next statement; unheard it would end the process.
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await withDataSource(url, async (dataSource) => {
      const ran = await dataSource.runMigrations();
      return ran.map((migration) => migration.name);
    });
  } finally {
    await lock.end();
  }
}

/** Each known migration with whether this database has it, oldest first. */
export async function migrationStatus(url: string): Promise<{ name: string; applied: boolean }[]> {
  return withDataSource(url, async (dataSource) => {
    const [known] = await dataSource.query<{ exists: boolean }[]>(
      `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
    );
    const rows = known?.exists
      ? await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id')
      : [];
    const applied = new Set(rows.map((row) => row.name));
    return dataSource.migrations.map(({ name = '' }) => ({ name, applied: applied.has(name) }));
  });
}
