import { ENCODING_NOT_SURE, type FaultValues, type FileFault } from '@app/contracts/transfer.words';
import { violationsOf } from '../../shared/format/field-errors.format';
import { inWords } from './fault.format';
import { importsWords } from './imports.words';

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

const wordOf = <Reason extends string>(reason: Reason): `file_${Reason}` => `file_${reason}`;

/** Why, in the language of the page; null: the page has no words for it, and the server's are told. */
export function refusalInWords({ reason, values }: FileRefusal): string | null {
  const word = reason && wordOf(reason);
  return word !== null && importsWords.has(word) ? importsWords.say(word, inWords(values)) : null;
}

/** Whether the person is to say how the file is written. */
export const isOfEncoding = ({ reason }: FileRefusal): boolean => reason === ENCODING_NOT_SURE;
