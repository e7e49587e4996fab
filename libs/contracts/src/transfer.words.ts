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

/** What is wrong with a row. */
export interface ImportFault {
  /** As a spreadsheet counts: the header is row 1. */
  row: number;
  /** Null: the row as a whole. */
  column: LeadColumn | null;
  message: string;
}
