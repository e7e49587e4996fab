import { CONNECTION_LIMITS } from '../database/data-source-options';
import { Client } from 'pg';
import { to } from 'pg-copy-streams';
import { StartError } from '@app/contracts/coded.errors';
import { connectionTo } from '../database/connection-address';

/** A backup and a restore take as long as they take, and stand still while a disk does. */
const LIMITS = {
  ...CONNECTION_LIMITS,
  statement_timeout: 0,
  query_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  lock_timeout: 30_000,
  connectionTimeoutMillis: 10_000,
};

/** `pg` omits a zero, so the database's or its address's default limit would apply. */
const SETTINGS = ['statement_timeout=0', 'idle_in_transaction_session_timeout=0'];

/** The connection settings of a backup, or of a restore. */
export const backupSession = (applicationName: string) => ({
  applicationName,
  limits: LIMITS,
  settings: SETTINGS,
});

/** PostgreSQL 17 and later limit transactions too, where the database's defaults say so. */
export const NO_TRANSACTION_LIMIT = `
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'`;

/** A table, and its columns in their order. */
export interface TableColumns {
  table: string;
  columns: string[];
}

/** A sequence, by the column that takes its numbers. */
export interface SequenceValue {
  table: string;
  column: string;
  /** The newest number that was given; null: none was. */
  last: string | null;
}

/** The ORM's own table: a restore makes it by running the migrations. */
const MIGRATIONS = 'migrations';

/** Every table of the schema but the migrations. */
export const TABLES = `
  SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname <> '${MIGRATIONS}'
   GROUP BY c.relname ORDER BY c.relname`;

/** A column's name is quoted by PostgreSQL where it has to be. */
const SEQUENCES = `
  SELECT c.relname AS table, a.attname AS column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> '' AND NOT a.attisdropped
   WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** As COPY names them. */
export const copied = ({ table, columns }: TableColumns): string =>
  `${quoted(table)} (${columns.map(quoted).join(', ')})`;

/** What is known of a database before its rows are read. */
export interface SnapshotFacts {
  /** By the database's clock: rows that were committed before are in the snapshot. */
  at: Date;
  /** Their names, in the order in which they ran. */
  migrations: string[];
  tables: TableColumns[];
}

/**
 * All tables of a database as they were at one instant, while it serves. It takes one connection, no lock that anybody but a
 * migration waits for, and no more memory than a row.
 */
export class DatabaseSnapshot implements AsyncDisposable {
  private constructor(
    private readonly client: Client,
    readonly facts: SnapshotFacts,
  ) {}

  /** @throws StartError where the database has no schema of ours */
  static async open(url: string): Promise<DatabaseSnapshot> {
    const { applicationName, limits, settings } = backupSession('leadline backup');
    const client = new Client(connectionTo(url, { ...limits, application_name: applicationName }, settings));
    // A connection that is lost between two statements: the next one fails with it.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query(NO_TRANSACTION_LIMIT);
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return new DatabaseSnapshot(client, await readFacts(client));
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** The rows of a table as COPY writes them, in pieces of any size. @returns how many rows there were */
  async *rows(table: TableColumns): AsyncGenerator<Buffer, number> {
    const stream = this.client.query(to(`COPY ${copied(table)} TO STDOUT`));
    for await (const bytes of stream as AsyncIterable<Buffer>) yield bytes;
    return stream.rowCount;
  }

  /** After the rows: whoever took a number that is among them took it before. */
  async sequences(): Promise<SequenceValue[]> {
    const { rows } = await this.client.query<{ table: string; column: string; sequence: string }>(SEQUENCES);
    const values: SequenceValue[] = [];
    for (const { table, column, sequence } of rows) {
      const read = `SELECT CASE WHEN is_called THEN last_value::text END AS last FROM ${sequence}`;
      const found = await this.client.query<{ last: string | null }>(read);
      values.push({ table, column, last: found.rows[0]?.last ?? null });
    }
    return values;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

async function readFacts(client: Client): Promise<SnapshotFacts> {
  const known = await client.query<{ at: Date; migrations: string | null }>(
    `SELECT clock_timestamp() AS at, to_regclass('${MIGRATIONS}')::text AS migrations`,
  );
  const [facts] = known.rows;
  if (!facts?.migrations)
    throw new StartError('The database that DATABASE_URL names has nothing of Leadline: there is no schema.');
  const ran = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS} ORDER BY id`);
  const { rows: tables } = await client.query<TableColumns>(TABLES);
  return { at: facts.at, migrations: ran.rows.map(({ name }) => name), tables };
}
