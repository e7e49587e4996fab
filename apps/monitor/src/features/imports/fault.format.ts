import type { ImportFaultAnswer } from '@app/client/api.types';
import { csvOfTable } from '../../shared/format/csv.file';
import { importsWords } from './imports.words';

const KNOWN = [
  [/^its quotes are not/, 'fault_malformed'],
  [/^has more cells/, 'fault_tooMany'],
  [/^is missing$/, 'fault_noPhone'],
  [/^was rounded/, 'fault_rounded'],
  [/^is no phone number/, 'fault_phone'],
  [/^must be at most 200 characters/, 'fault_name'],
  [/^is no name and no id/, 'fault_reference'],
  [/^is no stage/, 'fault_noStage'],
  [/^is the name of several stages/, 'fault_stages'],
  [/^is nobody who sees/, 'fault_nobody'],
  [/^is the name of several people/, 'fault_people'],
  [/^is disabled/, 'fault_disabled'],
  [/^is of a customer whose dialog/, 'fault_otherAgent'],
] as const;

const TWICE = /^is the phone of row (\d+), which counts$/;

/** What is wrong with a cell, in the language of the page; what the page does not know is told as it is. */
export function faultInWords({ message }: ImportFaultAnswer): string {
  const t = importsWords.say;
  const [, row] = TWICE.exec(message) ?? [];
  if (row !== undefined) return t('fault_twice', { row });
  const [, word] = KNOWN.find(([pattern]) => pattern.test(message)) ?? [];
  return word === undefined ? message : t(word);
}

export const columnInWords = ({ column }: ImportFaultAnswer): string =>
  importsWords.say(column === null ? 'wholeRow' : `column_${column}`);

/** The faults as a file, to be corrected beside the one that was imported. */
export function faultsCsv(faults: readonly ImportFaultAnswer[]): string {
  const t = importsWords.say;
  return csvOfTable(
    [t('row'), t('column'), t('fault')],
    faults.map((fault) => [String(fault.row), columnInWords(fault), faultInWords(fault)]),
  );
}
