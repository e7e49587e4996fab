import { ValidationError } from '@app/contracts/coded.errors';
import { isTime, NO_TIME } from '../dto/dto.decorator';

/**
 * A value of a query that may be absent.
 * @throws ValidationError for one that is empty, or given twice, or has what no text of ours has.
 */
export function textOrNull(name: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
  throw new ValidationError([{ path: name, message: 'must be given once and not empty, or be absent' }]);
}

/**
 * A word of a path.
 * @throws ValidationError for any other.
 */
export function wordOf<Word extends string>(name: string, value: unknown, words: readonly Word[]): Word {
  const word = words.find((known) => known === value);
  if (word !== undefined) return word;
  throw new ValidationError([{ path: name, message: `must be one of ${words.join(', ')}` }]);
}

/**
 * A word of a query that may be absent.
 * @throws ValidationError for any other.
 */
export function wordOrNull<Word extends string>(
  name: string,
  value: unknown,
  words: readonly Word[],
): Word | null {
  return value === undefined ? null : wordOf(name, value, words);
}

/**
 * A time of a query that may be absent.
 * @throws ValidationError for what is no ISO 8601 time with its offset.
 */
export function timeOrNull(name: string, value: unknown): Date | null {
  if (value === undefined) return null;
  if (isTime(value)) return new Date(value);
  throw new ValidationError([{ path: name, message: NO_TIME }]);
}

/**
 * The index of a step in a path.
 * @throws ValidationError where it is no whole number.
 */
export function stepIndexOf(value: string): number {
  if (/^\d{1,3}$/.test(value)) return Number(value);
  throw new ValidationError([{ path: 'index', message: 'must be the index of a step, from 0' }]);
}
