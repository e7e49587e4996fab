/**
 * The CTE `owners`: the accounts that have rows of a kind, and a last row without an account. Found by one step of an index each,
 * so that an account with thousands of rows hides no other. Follows `WITH RECURSIVE`.
 * @param table has such an index, by `account_id` and `due`
 * @param where as the index has it
 */
export const ownersOf = (table: string, where = 'true', due = 'due_at'): string => `
  owners AS (
    (SELECT account_id FROM ${table} WHERE ${where} ORDER BY account_id, ${due} LIMIT 1)
    UNION ALL
    SELECT (SELECT m.account_id FROM ${table} m WHERE ${where} AND m.account_id > o.account_id
             ORDER BY m.account_id, m.${due} LIMIT 1)
      FROM owners o WHERE o.account_id IS NOT NULL)`;
