import { ValidationError } from '@app/contracts/validation.error';
import { isUuid } from '@app/contracts/thread-id.format';
import { ApiPropertyOptional } from '@nestjs/swagger';

const PAGE_DEFAULT = 50;
const PAGE_MAX = 200;

/** The query of a list that pages by id. */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', default: PAGE_DEFAULT, minimum: 1, maximum: PAGE_MAX })
  limit?: string;

  @ApiPropertyOptional({ type: String, description: '`next_cursor` of the page before' })
  cursor?: string;
}

/** @throws ValidationError for a limit or cursor that no list takes. */
export function parsePage(query: PageQuery): { limit: number; after: string | null } {
  const { limit = String(PAGE_DEFAULT), cursor } = query;
  if (
    typeof limit !== 'string' ||
    !/^\d{1,3}$/.test(limit) ||
    Number(limit) < 1 ||
    Number(limit) > PAGE_MAX
  ) {
    throw new ValidationError([{ path: 'limit', message: `must be a whole number from 1 to ${PAGE_MAX}` }]);
  }
  const after =
    cursor === undefined
      ? null
      : typeof cursor !== 'string'
        ? ''
        : Buffer.from(cursor, 'base64url').toString('latin1');
  if (after !== null && !isUuid(after)) {
    throw new ValidationError([
      { path: 'cursor', message: 'is not a cursor of this list: take next_cursor as it came' },
    ]);
  }
  return { limit: Number(limit), after };
}

/** The first `limit` rows, and the cursor after them when there are more. */
export function pageOf<T extends { id: string }>(
  rows: T[],
  limit: number,
): { page: T[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    page,
    next_cursor: rows.length > limit && last ? Buffer.from(last.id).toString('base64url') : null,
  };
}
