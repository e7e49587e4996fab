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

function faultWords(fault: Fault): string {
  if ('slot' in fault) return `${fault.slot}: ${wordsOfFault(fault.kind)}`;
  return sendWords.say(fault.kind === 'phone' ? 'faultPhone' : 'faultLong');
}

/** All marks of a row in words. */
export const marksOf = ({ faults, duplicateOf, isOptedOut }: MarkedRow, isFile: boolean): string[] => [
  ...faults.map(faultWords),
  ...(duplicateOf === null
    ? []
    : [sendWords.say(isFile ? 'duplicateOf' : 'duplicateOfLine', { row: duplicateOf })]),
  ...(isOptedOut ? [sendWords.say('optedOut')] : []),
];

/** How many of each kind there are, the ready ones apart. */
export function countMarks(rows: readonly MarkedRow[]): {
  faults: number;
  duplicates: number;
  optedOut: number;
} {
  const of = (is: (row: MarkedRow) => boolean): number => rows.filter(is).length;
  return {
    faults: of(({ faults }) => faults.length > 0),
    duplicates: of(({ duplicateOf }) => duplicateOf !== null),
    optedOut: of(({ isOptedOut }) => isOptedOut),
  };
}
