import { ValidationError } from '@app/contracts/coded.errors';
import { ApiPropertyOptional } from '../docs/openapi.decorator';
import { isTime, NO_TIME } from '../dto/dto.decorator';
import { ID_CURSOR, type OpaqueCursor } from './opaque-cursor';

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

const PAGE_DEFAULT = 50;
const PAGE_MAX = 200;

/** The query of a list that comes in pages. */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', default: PAGE_DEFAULT, minimum: 1, maximum: PAGE_MAX })
  limit?: string;

  @ApiPropertyOptional({ type: String, description: '`next_cursor` of the page before' })
  cursor?: string;
}

/**
 * For a list that pages by id.
 * @throws ValidationError for a limit or cursor that no list accepts.
 */
export const parsePage = (query: PageQuery): { limit: number; after: string | null } =>
  parsePageBy(ID_CURSOR, query);

/** Likewise, of a list with another order. */
export function parsePageBy<Position>(
  cursors: OpaqueCursor<Position>,
  query: PageQuery,
): { limit: number; after: Position | null } {
  const { limit = String(PAGE_DEFAULT), cursor } = query;
  if (
    typeof limit !== 'string' ||
    !/^\d{1,3}$/.test(limit) ||
    Number(limit) < 1 ||
    Number(limit) > PAGE_MAX
  ) {
    throw new ValidationError([{ path: 'limit', message: `must be a whole number from 1 to ${PAGE_MAX}` }]);
  }
  return { limit: Number(limit), after: cursor === undefined ? null : cursors.decode(cursor) };
}
