import type { ImportFaultAnswer } from '@app/client/api-types';
import { TRANSFER_LIMITS, type FaultValues, type RowFault } from '@app/contracts/transfer.words';
import { csvOfTable } from '../../shared/files/file-download';
import { isolated } from '../../shared/format/direction.format';
import { wholeNumber } from '../../shared/format/number.format';
import { importsWords } from './imports.words';

const wordOf = (reason: RowFault): `fault_${RowFault}` => `fault_${reason}`;

/** What is wrong with a cell, in the language of the page; null: the page has no words for it, and the server's are told. */
export function faultInWords({ reason, values }: ImportFaultAnswer): string | null {
  if (values.rounded !== undefined) return importsWords.say('roundedPhone');
  const word = wordOf(reason);
  // A service that is newer than the page may know more.
  if (!importsWords.has(word)) return null;
  return importsWords.say(word, { most: wholeNumber(TRANSFER_LIMITS.nameLengthMax), ...inWords(values) });
}

/** The values of a fault for a sentence about it. */
export const inWords = (values: FaultValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? wholeNumber(value) : isolated(value),
    ]),
  );

export const columnInWords = ({ column }: ImportFaultAnswer): string =>
  importsWords.say(column === null ? 'wholeRow' : `column_${column}`);

/** The faults as a file, to be corrected beside the one that was imported. */
export function faultsCsv(faults: readonly ImportFaultAnswer[]): string {
  const t = importsWords.say;
  return csvOfTable(
    [t('row'), t('column'), t('fault')],
    faults.map((fault) => [String(fault.row), columnInWords(fault), faultInWords(fault) ?? fault.message]),
  );
}
