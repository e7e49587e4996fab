import type { Composed } from './composed.store';
import { phonesOf, phonesWithValues } from './hand.parser';
import type { GivenRow } from './send.types';
import type { Slot } from '../../shared/template/slot.rules';

/** The recipients of a list that is being put together. */
export function rowsOf(composed: Composed, slots: readonly Slot[]): GivenRow[] {
  const { mode, handText, handValues, file, phoneColumn, nameColumn, sources } = composed;
  const shared = slots.map(({ id }) => sources[id]?.text.trim() ?? '');
  if (mode === 'hand') {
    const lines = handValues === 'same' ? phonesOf(handText) : phonesWithValues(handText);
    return lines.map(({ line, cells: [phone = '', ...own] }) => ({
      row: line,
      phone,
      name: null,
      values: handValues === 'same' ? shared : slots.map((_, n) => own[n] ?? ''),
    }));
  }
  if (!file || phoneColumn === null) return [];
  const columns = slots.map(({ id }) => sources[id]?.column ?? null);
  return file.table.rows.map(({ row, cells }) => ({
    row,
    phone: cells[phoneColumn] ?? '',
    name: (nameColumn === null ? '' : (cells[nameColumn] ?? '').trim()) || null,
    values: columns.map((column, n) => (column === null ? (shared[n] ?? '') : (cells[column] ?? ''))),
  }));
}
