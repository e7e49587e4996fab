import { FORMULA } from '@app/contracts/values/free-text';
import Papa from 'papaparse';
import { downloadFile } from '../files/browser-download';
import { presentLanguage } from '../words/language.store';

/** So that spreadsheets read it as UTF-8. */
const MARK = '\uFEFF';

/** A phone with its plus is no formula, and stays readable. */
const ESCAPED = new RegExp(`(?!^\\+\\d{7,15}$)${FORMULA.source}`, 'u');

/** Spreadsheets in Russian part cells by semicolons. */
const options = () => ({
  escapeFormulae: ESCAPED,
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
