import { fieldErrors } from '../../shared/format/field-errors.format';
import { importsWords } from './imports.words';

/** Why a file as a whole cannot be used. */
export interface FileRefusal {
  /** The server's own words. */
  message: string;
}

/** @returns null where it is not the file that was refused */
export function refusalOf(error: unknown): FileRefusal | null {
  const message = fieldErrors(error)?.file;
  return message === undefined ? null : { message };
}

export const refusalInWords = ({ message }: FileRefusal): string =>
  `${importsWords.say('fileRefused')} ${message}`;
