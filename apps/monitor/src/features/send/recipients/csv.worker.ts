import Papa from 'papaparse';
import { findTableFault } from '@app/contracts/transfer.words';
import { findEncoding } from '@app/contracts/values/text-encoding';
import { DELIMITERS, type CsvAnswer, type CsvQuestion, type CsvTable } from './csv-types';

const ROWS_MAX = 100_000;
const UNREAD = { encoding: null, header: [], fault: null, rows: [], isCut: false };

/** Reads a file apart from the page, so that a long one does not hold it up. */
function read({ bytes, encoding: chosen, delimiter }: CsvQuestion): CsvTable {
  const encoding = chosen ?? findEncoding(new Uint8Array(bytes));
  if (encoding === null) return { ...UNREAD, delimiter: delimiter ?? ',' };
  const text = new TextDecoder(encoding).decode(bytes);
  // A line end behind the last row would count as a row of one cell, and hide the separator of a short list.
  const { data, errors, meta } = Papa.parse<string[]>(text.trimEnd(), {
    delimiter: delimiter ?? '',
    delimitersToGuess: [...DELIMITERS],
    // Empty rows count as rows, as in a spreadsheet.
    skipEmptyLines: false,
  });
  const [header = [], ...rows] = data;
  const fault = findTableFault(data, errors);
  const filled = (fault ? [] : rows)
    .map((cells, n) => ({ row: n + 2, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  return {
    encoding,
    delimiter: DELIMITERS.find((one) => one === meta.delimiter) ?? ',',
    header: header.map((cell) => cell.trim()),
    fault,
    rows: filled.slice(0, ROWS_MAX),
    isCut: filled.length > ROWS_MAX,
  };
}

addEventListener('message', ({ data }: MessageEvent<CsvQuestion>) => {
  const { id } = data;
  let answer: CsvAnswer;
  try {
    answer = { id, table: read(data) };
  } catch (error) {
    answer = { id, failure: error instanceof Error ? error.message : String(error) };
  }
  postMessage(answer);
});
