import { ID_CURSOR } from './opaque.cursor';

/** The first `limit` rows, and the cursor after them when there are more. */
export function pageOf<T extends { id: string }>(
  rows: T[],
  limit: number,
): { page: T[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: rows.length > limit && last ? ID_CURSOR.encode(last.id) : null };
}
