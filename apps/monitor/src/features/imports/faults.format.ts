import type { ImportFaultAnswer } from '@app/client/api-types';
import {
  TRANSFER_LIMITS,
  type FaultValues,
  type RowFault,
  ENCODING_NOT_SURE,
  type FileFault,
} from '@app/contracts/transfer.words';
import { csvOfTable } from '../../shared/format/csv-file';
import { isolated } from '../../shared/format/direction.format';
import { violationsOf } from '../../shared/format/field-errors.format';
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
const inWords = (values: FaultValues): Record<string, string> =>
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

/** Why a file as a whole cannot be used. */
export interface FileRefusal {
  /** Null: the service is newer than the page. */
  reason: FileFault | typeof ENCODING_NOT_SURE | null;
  values: FaultValues;
  /** The server's own words. */
  message: string;
}

/** @returns null where it is not the file that was refused */
export function refusalOf(error: unknown): FileRefusal | null {
  const fault = violationsOf(error)?.find(({ path }) => path === 'file' || path === 'encoding');
  if (fault === undefined) return null;
  const { reason = null, values = {}, message } = fault;
  return { reason: reason as FileRefusal['reason'], values, message };
}

const fileWordOf = <Reason extends string>(reason: Reason): `file_${Reason}` => `file_${reason}`;

/** Why, in the language of the page; null: the page has no words for it, and the server's are told. */
export function refusalInWords({ reason, values }: FileRefusal): string | null {
  const word = reason && fileWordOf(reason);
  return word !== null && importsWords.has(word) ? importsWords.say(word, inWords(values)) : null;
}

/** Whether the person is to say how the file is written. */
export const isOfEncoding = ({ reason }: FileRefusal): boolean => reason === ENCODING_NOT_SURE;
