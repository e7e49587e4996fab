import { PHONE_FAULTS } from './values/phone.words';
import { UNREADABLE } from './values/text-encoding';

/** Why rows of a table cannot be told from each other, or would lose or change what is in them. */
export type TableFaultKind = 'quotes' | 'tooManyCells' | 'unreadable';

export interface TableFault {
  kind: TableFaultKind;
  /** As a spreadsheet counts: the header is row 1, and empty rows count. */
  row: number;
}

/**
 * The first fault of a table, as papaparse has read it. A misplaced quote comes before all others: the parser goes on to
 * the next quote that ends a cell, so from that row on any row may be a part of another.
 * @param data with the header and with empty rows
 */
export function findTableFault(
  data: readonly (readonly string[])[],
  errors: readonly { type: string; row?: number }[],
): TableFault | null {
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) return { kind: 'quotes', row: (quotes.row ?? 0) + 1 };
  const width = data[0]?.length ?? 0;
  for (const [index, cells] of data.entries()) {
    const row = index + 1;
    if (cells.slice(width).some((cell) => cell.trim() !== '')) return { kind: 'tooManyCells', row };
    if (cells.some((cell) => cell.includes(UNREADABLE))) return { kind: 'unreadable', row };
  }
  return null;
}

/** Columns of a file of leads, in the order in which they are exported. */
export const LEAD_COLUMNS = ['phone', 'name', 'status', 'assignee'] as const;

export type LeadColumn = (typeof LEAD_COLUMNS)[number];

/** What becomes of an import. It is `failed` only where the file as a whole cannot be taken in. */
export const IMPORT_STATES = ['running', 'done', 'failed', 'cancelled'] as const;

export type ImportState = (typeof IMPORT_STATES)[number];

/** Why an import failed: its bot speaks for another agent by now, or by a fault of the service. */
export const IMPORT_FAILURES = ['agent_changed', 'internal'] as const;

export type ImportFailure = (typeof IMPORT_FAILURES)[number];

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const TRANSFER_LIMITS = {
  /** Of one import, besides its header and its empty rows. */
  rowsMax: 100_000,
  /** A file of so many rows with long names, in UTF-16, is smaller. */
  fileBytesMax: 64 * 1024 * 1024,
  nameLengthMax: 200,
  /** Faults that one answer tells. */
  faultsMax: 10_000,
  /** Imports of an account that are under way. */
  underWayMax: 10,
} as const;

/** Why the encoding of a file is refused: it was not named, and the file does not tell it. */
export const ENCODING_NOT_SURE = 'not_sure';

/** Why a file cannot be taken in at all. */
export const FILE_FAULTS = [
  'empty',
  'workbook',
  'open_quote',
  'no_phone_column',
  'column_twice',
  'too_many_rows',
] as const;

export type FileFault = (typeof FILE_FAULTS)[number];

/** Why a row is not taken in. */
export const ROW_FAULTS = [
  'malformed_quotes',
  'too_many_cells',
  'unreadable',
  ...PHONE_FAULTS,
  'duplicate',
  'bad_name',
  'bad_reference',
  'no_stage',
  'several_stages',
  'nobody',
  'several_people',
  'disabled_person',
  'other_agent',
  'erased',
] as const;

export type RowFault = (typeof ROW_FAULTS)[number];

/** What the message of a fault names, such as a row. */
export type FaultValues = Readonly<Record<string, string | number>>;

/** What is wrong with a row. */
export interface ImportFault {
  /** As a spreadsheet counts: the header is row 1. */
  row: number;
  /** Null: the row as a whole. */
  column: LeadColumn | null;
  reason: RowFault;
  values: FaultValues;
  message: string;
}
