import { ENCODING_CHOICES, type EncodingChoice } from '@app/contracts/values/text-encoding';
import { ENCODING_NOT_SURE, type FaultValues, type FileFault } from '@app/contracts/transfer.words';
import { ValidationError } from '@app/contracts/coded.errors';
import { fileFaultText } from './fault-texts';

/** A file that cannot be taken in at all. Nothing of it is kept. */
export class UnusableLeadsError extends ValidationError {
  constructor(reason: FileFault, values: FaultValues = {}) {
    super([{ path: 'file', message: fileFaultText(reason, values), reason, values }]);
  }
}

/** Nobody has said how a file is written, and its words do not tell it. Nothing of it is kept. */
export class UnsureEncodingError extends ValidationError {
  constructor() {
    const choices = ENCODING_CHOICES.join(', ');
    const message = `cannot be told by the words of the file: give one of ${choices}`;
    super([{ path: 'encoding', message, reason: ENCODING_NOT_SURE, values: { choices } }]);
  }
}

/** A row of a file of leads. */
export interface FileRow {
  /** As a spreadsheet counts: the header is row 1, and empty rows count. */
  row: number;
  /** Without the blanks around them. */
  cells: readonly string[];
  /** Its quotes cannot be right, so its cells may be wrong. */
  isMalformed: boolean;
}

/** A file of leads as a spreadsheet would show it. It is open until it is disposed of. */
export interface LeadTable extends AsyncDisposable {
  /** The cells of its first row. */
  header: readonly string[];
  /** The further rows that are not empty, as they are read, some at a time. */
  rows: AsyncIterable<readonly FileRow[]>;
}

/** Reads files of leads: text in any of the encodings in which spreadsheets save it. */
export abstract class LeadFiles {
  /**
   * @param encoding null: it is found
   * @param isColumn whether a cell of the header is the name of a column: it tells by what the cells are separated
   * @throws UnsureEncodingError, UnusableLeadsError here, or while the rows are read, for a file that is no table of text
   */
  abstract open(
    path: string,
    encoding: EncodingChoice | null,
    isColumn: (name: string) => boolean,
  ): Promise<LeadTable>;
}
