import Papa from 'papaparse';

const QUOTE = '"';
/**
 * How much is parsed at first behind a misplaced quote, in characters. The parser looks for the end of such a cell in all
 * that it is given, so a text full of them would cost the square of its length.
 */
const CAREFUL_LENGTH = 256;

export interface ParsedRow {
  cells: readonly string[];
  /** A cell goes on behind its closing quote. The row ends with the line in which that cell begins. */
  isMalformed: boolean;
}

export interface ParsedRows {
  rows: ParsedRow[];
  /** The characters of these rows. The rest is a row that goes on behind the text. */
  length: number;
  /** The last row has a quote that nothing closes. */
  isOpen: boolean;
}

interface Parsed {
  data: string[][];
  /** `index`: behind the quote by which the cell begins. */
  errors: { row: number; code: string; index: number }[];
  meta: { cursor: number };
}

/**
 * The rows of a text whose lines end with `\n`. Only whole lines are looked at, because only what follows a quote tells
 * whether it is misplaced.
 * @param isWhole the text ends here; else its last row may go on
 */
export function parseRows(delimiter: string, text: string, isWhole: boolean): ParsedRows {
  const end = isWhole ? text.length : text.lastIndexOf('\n') + 1;
  const rows: ParsedRow[] = [];
  let from = 0;
  for (let length = end; from < end;) {
    const to = endOfLine(text, from + length, end);
    const { data, errors, meta } = parse(delimiter, text.slice(from, to), isWhole && to === end);
    const [error] = errors;
    const misplaced = error?.code === 'InvalidQuotes' ? error : undefined;
    for (const cells of data.slice(0, misplaced?.row)) rows.push({ cells, isMalformed: false });
    if (misplaced) {
      const cell = from + misplaced.index;
      const next = endOfLine(text, cell, end);
      const line = text.slice(text.lastIndexOf('\n', cell - 1) + 1, next).trimEnd();
      rows.push({ cells: line.split(delimiter), isMalformed: true });
      from = next;
      length = CAREFUL_LENGTH;
    } else {
      from += meta.cursor;
      if (to === end) return { rows, length: from, isOpen: error !== undefined };
      length *= 2;
    }
  }
  return { rows, length: from, isOpen: false };
}

/** Behind the line in which `at` is. */
function endOfLine(text: string, at: number, end: number): number {
  const line = text.indexOf('\n', at);
  return line === -1 ? end : Math.min(line + 1, end);
}

function parse(delimiter: string, text: string, isWhole: boolean): Parsed {
  const parser = new Papa.Parser({ delimiter, newline: '\n', quoteChar: QUOTE });
  return parser.parse(text, 0, !isWhole) as Parsed;
}
