interface Old {
  /** Which rows of the table `o` are old enough. */
  where: string;
  /** By what the oldest come first: an index has it. */
  by: string;
}

/**
 * Deletes the oldest rows of a table, at most `:limit`, besides those that others have locked. They are found by an array of
 * their places: for a join the planner, which does not know the limit, expects a tenth of the table and reads all of it.
 */
export const purgeOf = (table: string, { where, by }: Old): string => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT o.ctid FROM ${table} o WHERE ${where} ORDER BY o.${by} LIMIT :limit::int FOR UPDATE OF o SKIP LOCKED))
  RETURNING 1 AS purged`;
