import type { ImportFault } from '@app/contracts/transfer.words';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database } from '../database/database.service';
import { purgeOf, statement } from '../database/sql.statements';
import type { ImportChunkEntity, ImportRow, ImportEntity } from './import.entity';
import { BEGIN, FUNNEL, isAbandoned, OF_IMPORT, PEOPLE, STOP, type NamedInRows } from './import.statements';

/** What is known of an import before its rows. */
export type NewImport = Pick<
  ImportEntity,
  | ('account_id' | 'id' | 'assistant_id' | 'bot_id' | 'channel' | 'dry_run')
  | ('start_scenarios' | 'ignored_columns')
  | ('set_by' | 'actor' | 'request_id')
>;

/** Who may see an import: whoever sees its agent's dialogs and may use its bot. */
export interface ImportReach {
  accountId: string;
  assistantIds: readonly string[];
  botIds: readonly string[];
}

/** Some rows of a file. */
export interface GivenChunk {
  /** The number of the first. */
  firstRow: number;
  rows: readonly ImportRow[];
}

/** Whoever begins an import of the same account waits. */
const LOCK_ACCOUNT = statement('import-lock-account')
  .takes('accountId')
  .returns('SELECT FROM accounts WHERE id = :accountId FOR NO KEY UPDATE');

const COUNT = statement('import-count').takes('accountId').returns<{ under_way: number }>(`
  SELECT count(*)::int AS under_way FROM imports i
   WHERE account_id = :accountId AND state IN ('loading', 'running') AND NOT (${isAbandoned('i')})`);

const ADD = statement('import-add').takes(
  ...([...OF_IMPORT, 'assistantId', 'botId', 'channel', 'dryRun', 'startScenarios'] as const),
  ...(['ignoredColumns', 'setBy', 'actor', 'requestId'] as const),
).returns(`
  INSERT INTO imports (account_id, id, assistant_id, bot_id, channel, dry_run, start_scenarios, ignored_columns, set_by, actor,
                       request_id)
  VALUES (:accountId, :id, :assistantId, :botId, :channel, :dryRun, :startScenarios, :ignoredColumns::text[], :setBy,
          :actor::jsonb, :requestId)`);

/** Each of `chunks` is the JSON of an array of rows. */
const ADD_CHUNKS = statement('import-add-chunks')
  .takes(...OF_IMPORT, 'numbers', 'chunks')
  .returns(
    `INSERT INTO import_chunks (account_id, import_id, first_row, rows)
     SELECT :accountId, :id, c.first_row, c.rows FROM unnest(:numbers::int[], :chunks::jsonb[]) c (first_row, rows)`,
  );

const REMOVE = statement('import-remove')
  .takes(...OF_IMPORT)
  .returns(`DELETE FROM imports WHERE account_id = :accountId AND id = :id AND state = 'loading'`);

const FIND = statement('import-find').takes(...OF_IMPORT, 'assistantIds', 'botIds').returns<ImportEntity>(`
  SELECT * FROM imports
   WHERE account_id = :accountId AND id = :id AND state <> 'loading'
     AND assistant_id = ANY (:assistantIds::uuid[]) AND bot_id = ANY (:botIds::uuid[])`);

const FAULTS = statement('import-faults').takes(...OF_IMPORT, 'limit').returns<
  Pick<ImportChunkEntity, 'faults'>
>(`
  SELECT jsonb_agg(f.fault ORDER BY f.first_row, f.place) AS faults FROM (
    SELECT c.first_row, e.place, e.fault
      FROM import_chunks c CROSS JOIN LATERAL jsonb_array_elements(c.faults) WITH ORDINALITY e (fault, place)
     WHERE c.account_id = :accountId AND c.import_id = :id AND c.faults IS NOT NULL
     ORDER BY c.first_row, e.place LIMIT :limit::int) f`);

/** Those that a killed process has not stored whole are nobody's. */
const PURGE = statement('import-purge')
  .takes('limit')
  .returns(
    purgeOf('imports', {
      where: `(o.finished_at < now() - interval '30 days' OR (${isAbandoned('o')}))`,
      by: 'created_at',
    }),
  );

/** Imports, as their callers make and see them. */
@Injectable()
export class ImportRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Nobody sees it before {@link begin}.
   * @returns whether it is kept: not where so many of the account are under way, or are being stored
   */
  async add(given: NewImport, underWayMax: number): Promise<boolean> {
    const { account_id: accountId, id, channel, actor } = given;
    return this.database.transactFor(accountId, async (within) => {
      await within.run(LOCK_ACCOUNT, { accountId });
      const [count] = await within.run(COUNT, { accountId });
      if (!count || count.under_way >= underWayMax) return false;
      await within.run(ADD, {
        ...{ accountId, id, assistantId: given.assistant_id, botId: given.bot_id, channel },
        ...{ dryRun: given.dry_run, startScenarios: given.start_scenarios },
        ...{ ignoredColumns: given.ignored_columns },
        ...{ setBy: given.set_by, actor: JSON.stringify(actor), requestId: given.request_id },
      });
      return true;
    });
  }

  async addChunks(accountId: string, id: string, chunks: readonly GivenChunk[]): Promise<void> {
    await this.database.runFor(accountId, ADD_CHUNKS, {
      ...{ accountId, id, numbers: chunks.map(({ firstRow }) => firstRow) },
      chunks: chunks.map(({ rows }) => JSON.stringify(rows)),
    });
  }

  /** From here on it is taken in, whatever is killed. */
  async begin(accountId: string, id: string, rows: number, entryOf: AuditEntryOf<number>): Promise<void> {
    await this.database.transactFor(accountId, async (within) => {
      const [begun] = await within.run(BEGIN, { accountId, id, rows });
      if (!begun) throw new Error('storing the rows of the import took longer than it may');
      await this.audit.append(within, entryOf(rows));
    });
  }

  /** Deletes one that has not begun. */
  async remove(accountId: string, id: string): Promise<void> {
    await this.database.runFor(accountId, REMOVE, { accountId, id });
  }

  /** @returns null where there is none within reach. */
  async find(reach: ImportReach, id: string): Promise<ImportEntity | null> {
    const [found] = await this.database.runFor(reach.accountId, FIND, { ...reach, id });
    return found ?? null;
  }

  /** What is wrong with its rows, in their order; the first of them. */
  async faults(accountId: string, id: string, limit: number): Promise<ImportFault[]> {
    const [row] = await this.database.runFor(accountId, FAULTS, { accountId, id, limit });
    return row?.faults ?? [];
  }

  /** Nothing more of it is taken in. Does nothing where it has ended. */
  async cancel(accountId: string, id: string, entryOf: AuditEntryOf<number>): Promise<void> {
    await this.database.transactFor(accountId, async (within) => {
      const values = { accountId, id, state: 'cancelled', failure: null };
      const [stopped] = await within.run(STOP, values);
      if (stopped) await this.audit.append(within, entryOf(stopped.done));
    });
  }

  /** Deletes imports that ended long ago, a bounded number at once. @returns how many. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }

  /** What files of leads name: the stages of an agent, and the people of its account. */
  async namedInFiles(accountId: string, assistantId: string): Promise<NamedInRows> {
    const values = { accountId, assistantId };
    return {
      funnel: await this.database.runFor(accountId, FUNNEL, values),
      people: await this.database.runFor(accountId, PEOPLE, values),
    };
  }
}
