import { finished } from 'node:stream/promises';
import { StartError } from '@app/contracts/coded.errors';
import { type QueryRunner, DataSource, MigrationExecutor } from 'typeorm';
import type { PoolClient } from 'pg';
import { from } from 'pg-copy-streams';
import type { AssistantEntity } from '../assistants/assistant.entity';
import { CONNECTIONS } from '../database/connection-budget';
import { statement, runWith } from '../database/sql.statements';
import { dataSourceOptions } from '../database/data-source-options';
import { lockMigrations, requireUtf8 } from '../database/migration-runner';
import { sinceBaseline } from '../database/schema-history';
import { tellBoardsOf } from '../events/event.statements';
import { EventEntity } from '../events/event.entity';
import {
  backupSession,
  NO_TRANSACTION_LIMIT,
  type SnapshotFacts,
  copied,
  TABLES,
  type SequenceValue,
  type TableColumns,
} from './database-snapshot';

/** Foreign keys want rows in an order that no file has; they are checked when they are made again. */
const REFERENCES = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) AS off,
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) AS on
    FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
   ORDER BY k.conrelid::regclass::text, k.conname`;

/** Indexes that are no constraint's: made once at the end, they cost a fraction of what each row would. */
const INDEXES = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS off, pg_get_indexdef(i.indexrelid) AS on
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
   WHERE c.relnamespace = current_schema()::regnamespace
     AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
   ORDER BY i.indexrelid::regclass::text`;

/** What they would do is in the file already, such as what is queued for search. */
const TRIGGERS = `
  SELECT DISTINCT format('ALTER TABLE %s DISABLE TRIGGER USER', t.tgrelid::regclass) AS off,
         format('ALTER TABLE %s ENABLE TRIGGER USER', t.tgrelid::regclass) AS on
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`;

/**
 * Takes foreign keys, indexes and triggers off all tables, within the session's transaction.
 * @returns puts them back; foreign keys are checked by that, and unique indexes too
 */
async function bareTables(session: QueryRunner): Promise<() => Promise<void>> {
  const back: string[] = [];
  for (const found of [REFERENCES, TRIGGERS, INDEXES]) {
    for (const { off, on } of await session.manager.query<{ off: string; on: string }[]>(found)) {
      await session.query(off);
      back.unshift(on);
    }
  }
  return async () => {
    for (const statement of back) await session.query(statement);
  };
}

/**
 * How many numbers of the event log are left out. The database that was lost gave numbers after the backup, which boards
 * may still hold. None of them may be given again.
 */
const NUMBERS_LEFT_OUT = 1_000_000_000n;

/** What processes of the service call their sessions. A listener's is there whatever else is. */
const PROCESS_SESSIONS = ['leadline', ...Object.keys(CONNECTIONS).map((pool) => `leadline ${pool}`)];

/** A process that was left running goes on with the database as soon as it is filled. */
const SESSIONS_OF_PROCESSES = statement('restore-sessions-of-processes').takes('names').returns(`
  SELECT pid FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = ANY (:names::text[])`);

/** Numbers go on behind that one. */
const SET_SEQUENCE = statement('restore-set-sequence')
  .takes('table', 'column', 'last')
  .returns('SELECT setval(pg_get_serial_sequence(quote_ident(:table), :column), :last::bigint)');

const AGENTS = statement('restore-agents').returns<
  Pick<AssistantEntity, 'account_id'> & { ids: AssistantEntity['id'][] }
>(
  'SELECT account_id, array_agg(id ORDER BY id)::text[] AS ids FROM assistants GROUP BY account_id ORDER BY account_id',
);

/** Ids of transactions are another server's. */
const FORGET_TRANSACTIONS = statement('restore-forget-transactions').returns(
  'UPDATE figure_positions SET next_seq = NULL, next_xid = NULL WHERE next_seq IS NOT NULL',
);

/** In the place of the hold of a backup that was taken while sending was held. */
const HOLD_SENDING = statement('restore-hold-sending').takes('backupAt').returns(`
  INSERT INTO sending_holds (id, backup_at, reason) VALUES (1, :backupAt, 'database_restored')
  ON CONFLICT (id) DO UPDATE SET held_since = clock_timestamp(), backup_at = EXCLUDED.backup_at, reason = EXCLUDED.reason`);

/**
 * Whoever has signed out, or used a link, since the backup would find both good again, and so would the secret of a key
 * that was rotated. So all sessions end, all links are void, and a key has its newest secret alone.
 */
const END_SIGN_INS = statement('restore-end-sign-ins').returns(`
  WITH sessions AS (UPDATE user_sessions SET ended_at = clock_timestamp() WHERE ended_at IS NULL),
       links AS (DELETE FROM invitations)
  UPDATE api_keys SET old_key_hash = NULL, old_key_expires_at = NULL WHERE old_key_hash IS NOT NULL`);

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
    const ran = sinceBaseline(migrations, 'backup');
    const unknown = ran.find((name) => !known.some((migration) => migration.name === name));
    if (unknown)
      throw new StartError(
        `The backup is of another version of Leadline, which knows ${unknown}: restore it with that version, or a newer one.`,
      );
    for (const migration of known)
      if (ran.includes(migration.name)) await executor.executeMigration(migration);
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
