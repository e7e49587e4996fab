import Papa from 'papaparse';
import { downloadFile } from '../files/browser.download';
import { presentLanguage } from '../words/language.store';

/** So that spreadsheets read it as UTF-8. */
const MARK = '\uFEFF';

/**
 * What a spreadsheet would take for a formula: its signs, narrow, small and full-width, also behind what nobody sees. A
 * phone with its plus is none, and stays readable.
 */
const FORMULA =
  /^(?!\+\d{7,15}$)(?:[\p{Cc}\p{Cf}\p{Z}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]|[\t\r\n])/u;

/** Spreadsheets in Russian part cells by semicolons. */
const options = () => ({
  escapeFormulae: FORMULA,
  newline: '\r\n',
  delimiter: presentLanguage() === 'ru' ? ';' : ',',
});

/**
 * A table as CSV for spreadsheets in the language of the page. Cells that a spreadsheet would take for a formula begin with an apostrophe.
 * @param rows of equal fields, which name the columns
 */
export const csvOf = (rows: readonly Record<string, unknown>[]): string =>
  MARK + Papa.unparse([...rows], options());

/** The same where several columns may have one name, or none. */
export const csvOfTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  MARK + Papa.unparse([header, ...rows] as string[][], options());

/** Has the browser save a text as a file. */
export const saveFile = (name: string, text: string, type = 'text/csv;charset=utf-8'): void =>
  downloadFile(name, text, type);
