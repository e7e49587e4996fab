import type { FaultValues, FileFault } from '@app/contracts/transfer.words';
import { violationsOf } from '../../shared/format/field-errors.format';
import { inWords } from './fault.format';
import { importsWords } from './imports.words';

/** Why a file as a whole cannot be used. */
export interface FileRefusal {
  reason: FileFault | null;
  values: FaultValues;
  /** The server's own words. */
  message: string;
}

/** @returns null where it is not the file that was refused */
export function refusalOf(error: unknown): FileRefusal | null {
  const fault = violationsOf(error)?.find(({ path }) => path === 'file');
  if (fault === undefined) return null;
  const { reason = null, values = {}, message } = fault;
  return { reason: reason as FileFault | null, values, message };
}

const wordOf = (reason: FileFault): `file_${FileFault}` => `file_${reason}`;

/** Why, in the language of the page; null: the page has no words for it, and the server's are told. */
export function refusalInWords({ reason, values }: FileRefusal): string | null {
  const word = reason && wordOf(reason);
  return word !== null && importsWords.has(word) ? importsWords.say(word, inWords(values)) : null;
}
