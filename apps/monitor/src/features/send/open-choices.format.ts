import { labelOf, type Slot } from '../../shared/template/slot.rules';
import type { Composed } from './composed.store';
import { sendWords } from './send.words';

/** What is to be chosen or filled in for the whole list, before its rows can be looked at one by one. */
export function openChoices(
  { mode, handValues, file, phoneColumn, sources }: Composed,
  slots: readonly Slot[],
): string[] {
  const isFile = mode === 'csv';
  if (isFile && (file === null || file.table.rows.length === 0)) return [];
  if (!isFile && handValues === 'each') return [];
  const lacks = ({ id, isOptional }: Slot): boolean => {
    const { column = null, text = '' } = sources[id] ?? {};
    return !isOptional && text.trim() === '' && !(isFile && column !== null);
  };
  return [
    ...(isFile && phoneColumn === null ? [sendWords.say('phoneColumn')] : []),
    ...slots.filter(lacks).map(labelOf),
  ];
}
