import Papa from 'papaparse';

/** So that spreadsheets read it as UTF-8. */
const MARK = '\uFEFF';

/**
 * A table as CSV. Cells that a spreadsheet would take for a formula begin with an apostrophe.
 * @param rows of equal fields, which name the columns
 */
export const csvOf = (rows: readonly Record<string, unknown>[]): string =>
  MARK + Papa.unparse([...rows], { escapeFormulae: true, newline: '\r\n' });

/** Has the browser save a text as a file. */
export function saveFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
