import { StartError } from '@app/contracts/coded.errors';
import type { SequenceValue, TableColumns } from '@app/persistence/backup/table-columns';
import type { BackupPart } from './backup-file.port';

/** The form of the file. Another number is another form. */
export const FORMAT = 1;

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

export const HEAD = 'backup.json';
export const END = 'end.json';
export const FILES = 'media/';

/** Pieces of a table are numbered from 1, in the order of their rows. */
export const pieceOf = (table: string, piece: number): string =>
  `tables/${table}/${String(piece).padStart(8, '0')}`;

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
