import type { TableFault } from '@app/contracts/transfer.words';
import type { Encoding } from '@app/contracts/values/text-encoding';

export const DELIMITERS = [',', ';', '\t', '|'] as const;

export type Delimiter = (typeof DELIMITERS)[number];

/** What the worker is asked. */
export interface CsvQuestion {
  id: number;
  bytes: ArrayBuffer;
  /** Null: it is to be found. */
  encoding: Encoding | null;
  delimiter: Delimiter | null;
}

/** A file as a spreadsheet would show it. */
export interface CsvTable {
  /** Null: its words do not tell it, so nothing of it is read. */
  encoding: Encoding | null;
  delimiter: Delimiter;
  /** The first row of the file. */
  header: readonly string[];
  /** Its rows may be read wrong, so none is taken. */
  fault: TableFault | null;
  /** Those after the header that are not empty, each with its number: the header is row 1. */
  rows: readonly { row: number; cells: readonly string[] }[];
  /** There are more rows than are taken. */
  isCut: boolean;
}

export type CsvAnswer = { id: number; table: CsvTable } | { id: number; failure: string };
