import { createReadStream } from 'node:fs';
import {
  guessSingleByte,
  countSigns,
  findMarkedEncoding,
  isDamagedUtf8,
  isWorkbook,
  namedEncoding,
  TEXT_SAMPLE_BYTES,
  type Encoding,
  type EncodingChoice,
} from '@app/contracts/values/text-encoding';
import {
  LeadFiles,
  UnsureEncodingError,
  UnusableLeadsError,
  type FileRow,
  type LeadTable,
} from '@app/domain/transfer/lead-file.port';
import Papa from 'papaparse';

const QUOTE = '"';
/**
 * How much is parsed at first behind a misplaced quote, in characters. The parser looks for the end of such a cell in all
 * that it is given, so a text full of them would cost the square of its length.
 */
const CAREFUL_LENGTH = 256;

interface ParsedRow {
  cells: readonly string[];
  /** A cell goes on behind its closing quote. The row ends with the line in which that cell begins. */
  isMalformed: boolean;
}

interface ParsedRows {
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
function parseRows(delimiter: string, text: string, isWhole: boolean): ParsedRows {
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

const DELIMITERS = [',', ';', '\t'] as const;
const READ_BYTES = 64 * 1024;
/** Enough for any header, and for what stands before it. */
const SAMPLE_LENGTH = 64 * 1024;
/** A row that is longer has a quote that is not closed. It is also what is kept in memory. */
const ROW_LENGTH_MAX = 100_000;
/** How Excel tells by what the cells are separated. A spreadsheet does not show it. */
const SEPARATOR_LINE = /^sep=[,;\t]\n/i;

/** Files with separated values, in any of the encodings that spreadsheets write. */
export class CsvLeadFiles extends LeadFiles {
  async open(
    path: string,
    encoding: EncodingChoice | null,
    isColumn: (name: string) => boolean,
  ): Promise<LeadTable> {
    await using opened = new AsyncDisposableStack();
    const text = textOf(path, await encodingOf(path, encoding));
    opened.defer(async () => {
      await text.return();
    });
    let sample = '';
    let isWhole = false;
    while (!isWhole && sample.length < SAMPLE_LENGTH) {
      const next = await text.next();
      isWhole = next.done === true;
      sample += next.value ?? '';
    }
    sample = sample.replace(SEPARATOR_LINE, '');
    const [first] = DELIMITERS.map((delimiter) => headerBy(delimiter, sample, isWhole, isColumn)).toSorted(
      (a, b) => b.known - a.known || b.cells.length - a.cells.length,
    );
    if (!first || first.cells.length === 0) throw new UnusableLeadsError('empty');
    if (first.isMalformed) throw openQuote(first.at + 1);
    const rest = opened.move();
    return {
      header: first.cells,
      rows: rowsOf(first, sample, text),
      [Symbol.asyncDispose]: () => rest.disposeAsync(),
    };
  }
}

interface Header {
  delimiter: string;
  cells: string[];
  /** How many of its cells are names of columns. */
  known: number;
  /** The number of its row in the file, from 0. */
  at: number;
  isMalformed: boolean;
}

function headerBy(
  delimiter: string,
  sample: string,
  isWhole: boolean,
  isColumn: (name: string) => boolean,
): Header {
  const { rows } = parseRows(delimiter, sample, isWhole);
  const at = rows.findIndex(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const cells = (rows[at]?.cells ?? []).map((cell) => cell.trim());
  const isMalformed = rows[at]?.isMalformed === true;
  return { delimiter, cells, known: cells.filter(isColumn).length, at, isMalformed };
}

async function* rowsOf(
  { delimiter, at }: Header,
  sample: string,
  text: AsyncGenerator<string, void>,
): AsyncGenerator<FileRow[]> {
  let held = sample;
  let row = 1;
  for (let isWhole = false; !isWhole;) {
    const next = await text.next();
    isWhole = next.done === true;
    held += next.value ?? '';
    const parsed = parseRows(delimiter, held, isWhole);
    held = held.slice(parsed.length);
    if (parsed.isOpen || held.length > ROW_LENGTH_MAX)
      throw openQuote(row + parsed.rows.length - (parsed.isOpen ? 1 : 0));
    const rows = parsed.rows.map(({ cells, isMalformed }, n) => ({
      row: row + n,
      cells: cells.map((cell) => cell.trim()),
      isMalformed,
    }));
    row += rows.length;
    yield rows.filter((each) => each.row > at + 1 && each.cells.some((cell) => cell !== ''));
  }
}

const openQuote = (row: number): UnusableLeadsError =>
  new UnusableLeadsError('open_quote', { row, most: ROW_LENGTH_MAX });

/** The text of a file, with one sign for a line's end. */
async function* textOf(path: string, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding);
  let held = '';
  for await (const bytes of bytesOf(path)) {
    const text = held + decoder.decode(bytes, { stream: true });
    // Its other half may follow.
    held = text.endsWith('\r') ? '\r' : '';
    yield lines(text.slice(0, text.length - held.length));
  }
  yield lines(held + decoder.decode());
}

const lines = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');

/** As it is named, by its beginning, or because the whole of it is UTF-8, if perhaps a damaged one, or by its words. */
async function encodingOf(path: string, named: EncodingChoice | null): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const bytes of bytesOf(path)) {
    if (isFirst) {
      const beginning = bytes.subarray(0, TEXT_SAMPLE_BYTES);
      if (isWorkbook(beginning)) throw new UnusableLeadsError('workbook');
      if (named !== null) return namedEncoding(named, beginning);
      const marked = findMarkedEncoding(beginning);
      if (marked !== null) return marked;
    }
    isFirst = false;
    if (!decodes(decoder, bytes)) return damagedOrOther(path);
  }
  if (named !== null) return namedEncoding(named, new Uint8Array());
  return decodes(decoder) ? 'utf-8' : damagedOrOther(path);
}

async function damagedOrOther(path: string): Promise<Encoding> {
  const counts = { signs: 0, unreadable: 0 };
  for await (const text of textOf(path, 'utf-8')) {
    const { signs, unreadable } = countSigns(text);
    counts.signs += signs;
    counts.unreadable += unreadable;
  }
  if (isDamagedUtf8(counts)) return 'utf-8';
  const guess = guessSingleByte();
  for await (const bytes of bytesOf(path)) guess.add(bytes);
  const found = guess.end();
  if (found === null) throw new UnsureEncodingError();
  return found;
}

const bytesOf = (path: string): AsyncIterable<Buffer> =>
  createReadStream(path, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>;

/** @param bytes absent: they end here */
function decodes(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined });
    return true;
  } catch {
    return false;
  }
}
