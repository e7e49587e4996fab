import Papa from 'papaparse';
import { downloadFile } from '../files/browser.download';

/** So that spreadsheets read it as UTF-8. */
const MARK = '\uFEFF';

/** What a spreadsheet would take for a formula. A phone with its plus is none, and stays readable. */
const FORMULA = /^(?!\+\d{7,15}$)[=+\-@\t\r]/;

const optionsOf = (delimiter: string) => ({ escapeFormulae: FORMULA, newline: '\r\n', delimiter });

/**
 * A table as CSV. Cells that a spreadsheet would take for a formula begin with an apostrophe.
 * @param rows of equal fields, which name the columns
 */
export const csvOf = (rows: readonly Record<string, unknown>[], delimiter = ','): string =>
  MARK + Papa.unparse([...rows], optionsOf(delimiter));

/** The same where several columns may have one name, or none. */
export const csvOfTable = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  delimiter = ',',
): string => MARK + Papa.unparse([header, ...rows] as string[][], optionsOf(delimiter));

/** Has the browser save a text as a file. */
export const saveFile = (name: string, text: string, type = 'text/csv;charset=utf-8'): void =>
  downloadFile(name, text, type);
