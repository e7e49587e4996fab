import { randomUUID } from 'node:crypto';
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg';

interface Cluster {
  /** The major version, such as '18'. */
  name: string;
  url: string;
  /** Where its programs are, if they are not the installed package's. */
  binaries?: string;
}

/** The PostgreSQL clusters of this run: 18, and 15 where the machine has one. */
export const CLUSTERS: Cluster[] = JSON.parse(process.env.LEADLINE_TEST_CLUSTERS ?? '[]') as Cluster[];

/** A migrated database of one test file. */
export interface TestDatabase {
  url: string;
  /** For fixtures and for looking at what is kept. */
  pool: Pool;
  drop(): Promise<void>;
}

export function clusterOf(version: string): Cluster {
  const cluster = CLUSTERS.find(({ name }) => name === version);
  if (!cluster) throw new Error(`no PostgreSQL ${version} in this run`);
  return cluster;
}

/** An address in the cluster, of another database. */
function addressOf(cluster: Cluster, database: string): string {
  const url = new URL(cluster.url);
  url.pathname = `/${database}`;
  return url.toString();
}

async function asAdmin(cluster: Cluster, statement: string): Promise<void> {
  const client = new Client({ connectionString: addressOf(cluster, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Connections of a test. A database may be dropped, or its server ended, under idle ones: that is no failure. No statement
 * is spread over processes: reading every table, as some tests do after each call, would take three times as long.
 */
const ignore = (): void => undefined;

/** Ends also where a test that failed has kept a client: its open transaction would hold up others in the whole cluster. */
class TestPool extends Pool {
  private readonly taken = new Set<PoolClient>();

  constructor(config: PoolConfig) {
    super(config);
    this.on('acquire', (client) => this.taken.add(client));
    this.on('release', (_error, client) => this.taken.delete(client));
    this.on('error', ignore);
  }

  override async end(): Promise<void> {
    for (const client of this.taken) {
      // The database may be dropped before its connection has ended.
      client.on('error', ignore);
      client.release(true);
    }
    await super.end();
  }
}

export function openPool(connectionString: string, max: number, applicationName = 'leadline test'): Pool {
  const options = '-c max_parallel_workers_per_gather=0';
  return new TestPool({ connectionString, max, application_name: applicationName, options });
}

/** A copy of the migrated template or, with `empty`, a database without a schema; in UTF-8 by default. */
export async function createDatabase(
  version = '18',
  { empty = false, encoding = 'UTF8' } = {},
): Promise<TestDatabase> {
  const cluster = clusterOf(version);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const coded = encoding === 'UTF8' ? '' : `ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`;
  // Copying files costs PostgreSQL 30 ms, and writing every page to its log, which is the default, 150 ms.
  const copied = empty ? 'template0' : 'leadline';
  await asAdmin(cluster, `CREATE DATABASE ${name} TEMPLATE ${copied} STRATEGY FILE_COPY ${coded}`);
  const url = addressOf(cluster, name);
  const pool = openPool(url, 10);
  return {
    url,
    pool,
    drop: async () => {
      await pool.end();
      await asAdmin(cluster, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
