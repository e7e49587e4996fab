import { StartError } from '@app/contracts/coded.errors';
import { EmptyDatabase } from '@app/persistence/backup/empty-database';
import type { BackupPart, BackupReader, FileTarget } from './backup-file.port';
import {
  type BackupProgress,
  END,
  FILES,
  readEnd,
  readHead,
  tableOf,
  type BackupEnd,
  type BackupHead,
} from './backup.service';

export interface RestoredBackup {
  /** The version that wrote it, and the time of what is in it. */
  version: string;
  at: string;
  rows: number;
  files: number;
  /** Tables of the backup that are not ours. */
  leftOut: string[];
  /** What went wrong once all was there. */
  warnings: string[];
}

/**
 * Fills an empty database from a backup, and the folder of files. Sending is held in it. Whatever fails or is killed before
 * the commit, the database is empty afterwards; what fails after it is only told.
 * @param files null: they are left out
 * @throws StartError where the database or the folder is not empty, processes use the database, or the backup is none, or of
 * a newer version
 */
export async function restore(
  databaseUrl: string,
  file: BackupReader,
  files: FileTarget | null,
  progress: BackupProgress,
): Promise<RestoredBackup> {
  const parts = file.parts()[Symbol.asyncIterator]();
  const head = await readHead(await nextOf(parts));
  const facts = { at: new Date(head.at), migrations: head.migrations, tables: head.tables };
  const target = head.files ? files : null;
  let restored: RestoredBackup | undefined;
  const notAnalysed = await EmptyDatabase.fill(
    databaseUrl,
    facts,
    async (database) => {
      await target?.begin();
      restored = await new Restore(head, database, target, progress).read(parts);
    },
    async () => target?.flush(),
  );
  if (!restored) throw new Error('the database was filled without a backup');
  if (notAnalysed) restored.warnings.push(`${NOT_ANALYSED} (${notAnalysed.message})`);
  await target
    ?.finish()
    .catch((error: Error) => restored?.warnings.push(`${STILL_MARKED} (${error.message})`));
  return restored;
}

const NOT_ANALYSED =
  'The database is whole, but its tables could not be analysed, so calls may be slow for a while: run ANALYZE.';
const STILL_MARKED =
  'All files are there, but the file .restoring could not be deleted from their folder: do it.';

type Parts = AsyncIterator<BackupPart>;

const nextOf = async (parts: Parts): Promise<BackupPart | undefined> => {
  const next = await parts.next();
  return next.done ? undefined : next.value;
};

/** Reads the parts that follow the head, each table as one COPY. */
class Restore {
  private readonly rows: Record<string, number> = {};
  private readonly leftOut: string[] = [];
  private files = 0;
  private bytes = 0;

  constructor(
    private readonly head: BackupHead,
    private readonly database: EmptyDatabase,
    private readonly target: FileTarget | null,
    private readonly progress: BackupProgress,
  ) {}

  async read(parts: Parts): Promise<RestoredBackup> {
    let part = await nextOf(parts);
    while (part) {
      const table = tableOf(part.name);
      if (table !== null) {
        part = await this.readTable(table, part, parts);
        continue;
      }
      if (part.name === END) return this.complete(await readEnd(part));
      await this.readFile(part);
      part = await nextOf(parts);
    }
    throw new StartError('The backup has no end.');
  }

  /** @returns the first part that is not of the table */
  private async readTable(name: string, first: BackupPart, parts: Parts): Promise<BackupPart | undefined> {
    let part: BackupPart | undefined = first;
    const take = this.counted.bind(this);
    async function* pieces(): AsyncGenerator<Buffer> {
      while (part && tableOf(part.name) === name) {
        yield* take(name, part.bytes);
        part = await nextOf(parts);
      }
    }
    const table = this.head.tables.find((known) => known.table === name);
    if (table && this.database.has(name)) this.rows[name] = await this.database.take(table, pieces());
    else {
      this.leftOut.push(name);
      for await (const _ of pieces());
    }
    return part;
  }

  private async readFile({ name, bytes }: BackupPart): Promise<void> {
    if (this.target && name.startsWith(FILES)) {
      await this.target.put(name.slice(FILES.length), this.counted('files', bytes));
      this.files += 1;
    } else for await (const _ of bytes);
  }

  private async *counted(what: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of bytes) {
      yield piece;
      this.progress(what, (this.bytes += piece.length));
    }
  }

  private async complete(end: BackupEnd): Promise<RestoredBackup> {
    for (const [table, expected] of Object.entries(end.rows)) {
      const taken = this.rows[table] ?? 0;
      if (taken !== expected && !this.leftOut.includes(table))
        throw new StartError(`The backup has ${taken} rows of ${table}, and should have ${expected}.`);
    }
    await this.database.setSequences(end.sequences);
    const { version, at } = this.head;
    const rows = Object.values(this.rows).reduce((sum, count) => sum + count, 0);
    return { version, at, rows, files: this.files, leftOut: this.leftOut, warnings: [] };
  }
}
