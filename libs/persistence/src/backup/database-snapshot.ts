import { Client } from 'pg';
import { to } from 'pg-copy-streams';
import { StartError } from '@app/contracts/coded.errors';
import { connectionTo } from '../database/connection-address';
import { backupSession, NO_TRANSACTION_LIMIT } from './backup-session';
import {
  copied,
  MIGRATIONS,
  SEQUENCES,
  TABLES,
  type SequenceValue,
  type TableColumns,
} from './table-columns';

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
