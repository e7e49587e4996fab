import { UNREADABLE } from './text-encoding';

/** Why rows of a table cannot be told from each other, or would lose or change what is in them. */
export type TableFaultKind = 'quotes' | 'tooManyCells' | 'unreadable';

export interface TableFault {
  kind: TableFaultKind;
  /** As a spreadsheet counts: the header is row 1, and empty rows count. */
  row: number;
}

/**
 * The first fault of a table, as papaparse has read it. A misplaced quote comes before all others: the parser goes on to
 * the next quote that ends a cell, so from that row on any row may be a part of another.
 * @param data with the header and with empty rows
 */
export function findTableFault(
  data: readonly (readonly string[])[],
  errors: readonly { type: string; row?: number }[],
): TableFault | null {
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) return { kind: 'quotes', row: (quotes.row ?? 0) + 1 };
  const width = data[0]?.length ?? 0;
  for (const [index, cells] of data.entries()) {
    const row = index + 1;
    if (cells.slice(width).some((cell) => cell.trim() !== '')) return { kind: 'tooManyCells', row };
    if (cells.some((cell) => cell.includes(UNREADABLE))) return { kind: 'unreadable', row };
  }
  return null;
}
