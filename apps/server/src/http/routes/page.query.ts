import { ValidationError } from '@app/contracts/coded.errors';
import { ApiPropertyOptional } from '../docs/openapi.decorator';
import { ID_CURSOR, type OpaqueCursor } from './opaque-cursor';

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
