import { ID_CURSOR } from '../routes/opaque-cursor';

interface Page<T> {
  page: T[];
  next_cursor: string | null;
}

/** The first `limit` rows, and the cursor after them when there are more. */
export const pageOf = <T extends { id: string }>(rows: T[], limit: number): Page<T> =>
  pageBy((row) => ID_CURSOR.encode(row.id), rows, limit);

/** Likewise, of a list with another order. */
export function pageBy<T>(cursorOf: (row: T) => string, rows: T[], limit: number): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: rows.length > limit && last ? cursorOf(last) : null };
}
