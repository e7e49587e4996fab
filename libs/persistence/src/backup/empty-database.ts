import { finished } from 'node:stream/promises';
import { StartError } from '@app/contracts/coded.errors';
import type { PoolClient } from 'pg';
import { from } from 'pg-copy-streams';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../database/data-source-options';
import { lockMigrations, requireUtf8 } from '../database/migration-runner';
import { runWith } from '../database/transaction.statements';
import { tellBoardsOf } from '../events/agent-notice';
import { EventEntity } from '../events/event.entity';
import { backupSession, NO_TRANSACTION_LIMIT } from './backup-session';
import { bareTables } from './bare-tables';
import {
  AGENTS,
  FORGET_TRANSACTIONS,
  END_SIGN_INS,
  HOLD_SENDING,
  NUMBERS_LEFT_OUT,
  PROCESS_SESSIONS,
  SESSIONS_OF_PROCESSES,
  SET_SEQUENCE,
} from './restored.statements';
import type { SnapshotFacts } from './database-snapshot';
import { copied, TABLES, type SequenceValue, type TableColumns } from './table-columns';

const ANYTHING = `
  SELECT c.relname AS name FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
   ORDER BY c.relkind = 'r' DESC, c.relname LIMIT 1`;

/**
 * An empty database that is being filled from a backup, in one transaction: whatever is killed, it is empty again or whole.
 * It has the lock of migrations meanwhile, so a process that starts on it waits.
 */
export class EmptyDatabase {
  private constructor(
    private readonly session: QueryRunner,
    private readonly executor: MigrationExecutor,
    private readonly backupAt: Date,
    private readonly tables: ReadonlyMap<string, TableColumns>,
    private readonly putBack: () => Promise<void>,
  ) {}

  /**
   * Makes the schema that the backup has, lets the work fill it, brings it up to date, and holds sending.
   * @param beforeCommit the last that may leave the database empty
   * @returns why the tables could not be analysed; null: they were
   * @throws StartError where the database is not empty, not in UTF-8 or in use by processes, or the backup is of a newer version
   */
  static async fill(
    url: string,
    facts: SnapshotFacts,
    work: (database: EmptyDatabase) => Promise<void>,
    beforeCommit: () => Promise<void>,
  ): Promise<Error | null> {
    const connection = { url, poolSize: 1, ...backupSession('leadline restore') };
    const dataSource = new DataSource({ ...dataSourceOptions(connection), entities: [EventEntity] });
    await dataSource.initialize();
    try {
      await requireUtf8(dataSource);
      const session = dataSource.createQueryRunner();
      const client = (await session.connect()) as PoolClient;
      client.on('error', () => undefined);
      await session.query(NO_TRANSACTION_LIMIT);
      await lockMigrations(session);
      await session.startTransaction();
      const database = await EmptyDatabase.begin(dataSource, session, facts);
      await work(database);
      await database.complete();
      await beforeCommit();
      await session.commitTransaction();
      // Not within: it would keep the rows from being seen, and they are good without it.
      return await session.query('ANALYZE').then(
        () => null,
        (error: Error) => error,
      );
    } finally {
      // Ends the connection, and with it a transaction that was not committed, and the lock.
      await dataSource.destroy();
    }
  }

  private static async begin(
    dataSource: DataSource,
    session: QueryRunner,
    { at, migrations }: SnapshotFacts,
  ): Promise<EmptyDatabase> {
    const [found] = await session.manager.query<{ name: string }[]>(ANYTHING);
    if (found)
      throw new StartError(
        `The database that DATABASE_URL names is not empty: it has ${found.name}. Make a new one, with createdb or by --create, and let DATABASE_URL name it.`,
      );
    const { length: sessions } = await runWith(session.manager, SESSIONS_OF_PROCESSES, {
      names: PROCESS_SESSIONS,
    });
    if (sessions > 0)
      throw new StartError(
        `The database that DATABASE_URL names is used by Leadline, with ${sessions} sessions: stop all processes that were left running on it, and what starts them again.`,
      );
    const executor = new MigrationExecutor(dataSource, session);
    const known = await executor.getPendingMigrations();
    const unknown = migrations.find((name) => !known.some((migration) => migration.name === name));
    if (unknown)
      throw new StartError(
        `The backup is of another version of Leadline, which knows ${unknown}: restore it with that version, or a newer one.`,
      );
    for (const migration of known)
      if (migrations.includes(migration.name)) await executor.executeMigration(migration);
    const tables = await session.manager.query<TableColumns[]>(TABLES);
    const byName = new Map(tables.map((table) => [table.table, table]));
    return new EmptyDatabase(session, executor, at, byName, await bareTables(session));
  }

  /** Whether the table is one of ours. An administrator's own is in the backup, but has no place here. */
  has(table: string): boolean {
    return this.tables.has(table);
  }

  /** @param rows as COPY wrote them @returns how many there were */
  async take(table: TableColumns, rows: AsyncIterable<Buffer>): Promise<number> {
    const client = (await this.session.connect()) as PoolClient;
    const stream = client.query(from(`COPY ${copied(table)} FROM STDIN`));
    const over = finished(stream);
    over.catch(() => undefined);
    try {
      for await (const bytes of rows) await written(stream, bytes);
      stream.end();
    } catch (error) {
      stream.destroy(error as Error);
      await over;
      throw error;
    }
    await over;
    return stream.rowCount;
  }

  /** Numbers go on where those of the backup ended; those of the event log far behind. */
  async setSequences(values: readonly SequenceValue[]): Promise<void> {
    for (const { table, column, last } of values) {
      if (!this.has(table)) continue;
      const jumps = table === 'events' ? NUMBERS_LEFT_OUT : 0n;
      if (last === null && jumps === 0n) continue;
      const behind = String(BigInt(last ?? 0) + jumps);
      await runWith(this.session.manager, SET_SEQUENCE, { table, column, last: behind });
    }
  }

  private async complete(): Promise<void> {
    await this.putBack();
    for (const migration of await this.executor.getPendingMigrations())
      await this.executor.executeMigration(migration);
    const { manager } = this.session;
    await runWith(manager, FORGET_TRANSACTIONS, {});
    // As of a change of each funnel: a board that holds a number of before is given all its cards anew.
    for (const { account_id: accountId, ids } of await runWith(manager, AGENTS, {}))
      await tellBoardsOf(manager, accountId, ids, 'funnel');
    await runWith(manager, END_SIGN_INS, {});
    await runWith(manager, HOLD_SENDING, { backupAt: this.backupAt });
  }
}

const written = (stream: NodeJS.WritableStream, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
