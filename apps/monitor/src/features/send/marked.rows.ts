import { contactOf } from '@app/contracts/contact.address';
import { wordsOfFault } from '../../shared/template/value.check';
import { sendWords } from './send.words';
import type { CheckedRow, Fault } from './send.types';

/** A row with all that speaks against sending to it. */
export interface MarkedRow extends CheckedRow {
  isOptedOut: boolean;
}

/** What the person leaves out. */
interface LeftOut {
  duplicates: boolean;
  optedOut: boolean;
}

export const markRows = (rows: readonly CheckedRow[], optedOut: ReadonlySet<string>): MarkedRow[] =>
  rows.map((row) => ({ ...row, isOptedOut: row.to !== null && optedOut.has(contactOf(row.to)) }));

export const isMarked = ({ faults, duplicateOf, isOptedOut }: MarkedRow): boolean =>
  faults.length > 0 || duplicateOf !== null || isOptedOut;

/** A recipient who is sent to. */
export type ReadyRow = MarkedRow & { to: string };

export const readyOf = (rows: readonly MarkedRow[], leftOut: LeftOut): ReadyRow[] =>
  rows.filter(
    (row): row is ReadyRow =>
      row.to !== null &&
      row.faults.length === 0 &&
      !(leftOut.duplicates && row.duplicateOf !== null) &&
      !(leftOut.optedOut && row.isOptedOut),
  );

const faultWords = (fault: Fault): string =>
  'slot' in fault ? `${fault.slot}: ${wordsOfFault(fault.kind)}` : sendWords.say(`fault_${fault.kind}`);

/** All marks of a row in words. */
export const marksOf = ({ faults, duplicateOf, isOptedOut }: MarkedRow, isFile: boolean): string[] => [
  ...faults.map(faultWords),
  ...(duplicateOf === null
    ? []
    : [sendWords.say(isFile ? 'duplicateOf' : 'duplicateOfLine', { row: duplicateOf })]),
  ...(isOptedOut ? [sendWords.say('optedOut')] : []),
];

/** Why a row that is not sent is left out; of several reasons the one by which there is least to do. */
type LeftOutKind = 'duplicates' | 'faults' | 'optedOut';

const kindOf = ({ faults, duplicateOf }: MarkedRow, leftOut: LeftOut): LeftOutKind => {
  if (leftOut.duplicates && duplicateOf !== null) return 'duplicates';
  return faults.length > 0 ? 'faults' : 'optedOut';
};

/** The rows that are not sent, each once, by why. */
export function leftOutOf(rows: readonly MarkedRow[], leftOut: LeftOut): Record<LeftOutKind, MarkedRow[]> {
  const ready = new Set<MarkedRow>(readyOf(rows, leftOut));
  const found: Record<LeftOutKind, MarkedRow[]> = { faults: [], duplicates: [], optedOut: [] };
  for (const row of rows) if (!ready.has(row)) found[kindOf(row, leftOut)].push(row);
  return found;
}

/** How many are left out, in words, such as "2 with faults". */
export const leftOutWords = ({
  faults,
  duplicates,
  optedOut,
}: Record<LeftOutKind, MarkedRow[]>): string[] => [
  ...(faults.length > 0 ? [sendWords.say('faultCount', { count: faults.length })] : []),
  ...(duplicates.length > 0 ? [sendWords.say('duplicateCount', { count: duplicates.length })] : []),
  ...(optedOut.length > 0 ? [sendWords.say('optedOutCount', { count: optedOut.length })] : []),
];
