import { csvOfTable } from '../../../shared/files/file-download';
import type { ChosenFile } from '../compose/composed.store';
import { marksOf, type MarkedRow } from './marked-rows';
import { sendWords } from '../send.words';

/** The rows of a file that have faults, as they stand in it, with what is wrong: to be mended, and chosen again. */
export function faultyRowsCsv({ table }: ChosenFile, faulty: readonly MarkedRow[]): string {
  const wrong = new Map(faulty.map((row) => [row.row, marksOf(row, true).join('; ')]));
  const rows = table.rows
    .filter(({ row }) => wrong.has(row))
    .map(({ row, cells }) => [...table.header.map((_, column) => cells[column] ?? ''), wrong.get(row) ?? '']);
  const header = [...table.header, sendWords.say('whyNotSent')];
  return csvOfTable(header, rows);
}
