import { StartError } from '@app/contracts/coded.errors';
import {
  DatabaseSnapshot,
  type SequenceValue,
  type TableColumns,
} from '@app/persistence/backup/database-snapshot';
import type { BackupPart, BackupWriter, FileSource } from './backup-file.port';

/** The form of the file. Another number is another form. */
const FORMAT = 1;

/** The first part: what follows, and to which schema it belongs. */
export interface BackupHead {
  format: number;
  /** The version of Leadline that wrote it. */
  version: string;
  /** By the database's clock, in ISO 8601: what was committed before is in it. */
  at: string;
  migrations: string[];
  tables: TableColumns[];
  /** Whether customers' files are in it. */
  files: boolean;
}

/** The last part: what was written. */
export interface BackupEnd {
  rows: Record<string, number>;
  sequences: SequenceValue[];
  files: number;
}

const HEAD = 'backup.json';
export const END = 'end.json';
export const FILES = 'media/';

/** Pieces of a table are numbered from 1, in the order of their rows. */
const pieceOf = (table: string, piece: number): string => `tables/${table}/${String(piece).padStart(8, '0')}`;

/** Null for what is no piece of a table. */
export const tableOf = (name: string): string | null => /^tables\/(.+)\/\d+$/.exec(name)?.[1] ?? null;

/** @throws StartError for another part, and another form */
export async function readHead(part: BackupPart | undefined): Promise<BackupHead> {
  const head = part?.name === HEAD ? ((await jsonOf(part)) as Partial<BackupHead>) : {};
  if (head.format === FORMAT) return head as BackupHead;
  throw new StartError(
    head.format === undefined
      ? 'The file is no backup of Leadline.'
      : `The backup has the form ${head.format}, which this version does not know: restore it with the version that wrote it (${head.version}).`,
  );
}

export const readEnd = async (part: BackupPart): Promise<BackupEnd> => (await jsonOf(part)) as BackupEnd;

async function jsonOf({ bytes }: BackupPart): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString());
}

/** A part is held in memory, because the file names its size first. */
const PIECE_BYTES = 1024 * 1024;

/** What is being read now, and how many bytes were until now. */
export type BackupProgress = (what: string, bytes: number) => void;

interface WrittenBackup {
  at: Date;
  rows: number;
  files: number;
  /** Of the file. */
  bytes: number;
}

/**
 * Writes all tables of a database as they are at one instant, and after them the customers' files: one that was kept before
 * the instant is among them.
 * @param files null: they are left out
 * @throws StartError where the database has no schema of ours
 */
export async function backUp(
  databaseUrl: string,
  version: string,
  file: BackupWriter,
  files: FileSource | null,
  progress: BackupProgress,
): Promise<WrittenBackup> {
  try {
    await using snapshot = await DatabaseSnapshot.open(databaseUrl);
    const { at, migrations, tables } = snapshot.facts;
    const head: BackupHead = {
      ...{ format: FORMAT, version, at: at.toISOString() },
      ...{ migrations, tables, files: files !== null },
    };
    await file.add(HEAD, json(head));
    const rows: Record<string, number> = {};
    let bytes = 0;
    const read = (what: string, more: number): void => progress(what, (bytes += more));
    for (const table of tables) rows[table.table] = await writeTable(snapshot, table, file, read);
    const sequences = await snapshot.sequences();
    // The database need not stand still while files are read.
    await snapshot[Symbol.asyncDispose]();
    const kept = files ? await writeFiles(files, file, read) : 0;
    const end: BackupEnd = { rows, sequences, files: kept };
    await file.add(END, json(end));
    const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
    return { at, rows: all, files: kept, bytes: await file.finish() };
  } finally {
    await file.abandon();
  }
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));

async function writeTable(
  snapshot: DatabaseSnapshot,
  table: TableColumns,
  file: BackupWriter,
  read: BackupProgress,
): Promise<number> {
  const rows = snapshot.rows(table);
  let held: Buffer[] = [];
  let size = 0;
  let piece = 0;
  const write = async (): Promise<void> => {
    if (size === 0) return;
    await file.add(pieceOf(table.table, ++piece), Buffer.concat(held));
    read(table.table, size);
    [held, size] = [[], 0];
  };
  for (;;) {
    const next = await rows.next();
    if (next.done) {
      await write();
      return next.value;
    }
    held.push(next.value);
    size += next.value.length;
    if (size >= PIECE_BYTES) await write();
  }
}

async function writeFiles(files: FileSource, file: BackupWriter, read: BackupProgress): Promise<number> {
  let count = 0;
  for await (const { path, size, bytes } of files.files()) {
    await file.addStream(`${FILES}${path}`, size, bytes);
    read('files', size);
    count += 1;
  }
  return count;
}
