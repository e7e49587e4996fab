/** A row of a file of leads. */
export interface FileRow {
  /** As a spreadsheet counts: the header is row 1, and empty rows count. */
  row: number;
  /** Without the blanks around them. */
  cells: readonly string[];
  /** Its quotes cannot be right, so its cells may be wrong. */
  isMalformed: boolean;
}

/** A file of leads as a spreadsheet would show it. */
export interface LeadTable {
  /** The cells of its first row. */
  header: readonly string[];
  /** The further rows that are not empty, as they are read, some at a time. */
  rows: AsyncIterable<readonly FileRow[]>;
}

/** Reads files of leads: text in any of the encodings in which spreadsheets save it. */
export abstract class LeadFiles {
  /**
   * @param isColumn whether a cell of the header is the name of a column: it tells by what the cells are separated
   * @throws ValidationError here, or while the rows are read, for a file that is no table of text
   */
  abstract open(path: string, isColumn: (name: string) => boolean): Promise<LeadTable>;
}
