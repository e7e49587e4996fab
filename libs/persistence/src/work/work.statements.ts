/** How much of one kind of work there is, on all processes together. */
export interface WorkBacklog {
  /** Due, and no process works on it. */
  due: number;
  /** For how many seconds the oldest of these has been due; null when nothing is due. */
  oldest_due_seconds: number | null;
  /** Some process works on it. */
  in_flight: number;
  failed_last_hour: number;
}

const OF_ACCOUNT = '(:accountId::uuid IS NULL OR account_id = :accountId)';

/**
 * The text of a statement that counts one kind of work: of the account `:accountId`, or of all where it is null.
 * @param open selects `account_id`, `due_at`, and `held`: whether some process works on it
 * @param failed selects `account_id` of the rows that failed in the last hour
 */
export const countBacklog = (open: string, failed: string): string => `
  SELECT count(*) FILTER (WHERE NOT held)::int AS due,
         extract(epoch FROM clock_timestamp() - min(due_at) FILTER (WHERE NOT held))::float8 AS oldest_due_seconds,
         count(*) FILTER (WHERE held)::int AS in_flight,
         (SELECT count(*)::int FROM (${failed}) f WHERE ${OF_ACCOUNT}) AS failed_last_hour
    FROM (${open}) o WHERE ${OF_ACCOUNT}`;

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

/**
 * Whether a row may be claimed: it has no lease, or its lease ran out. Statements that claim, renew and find due work are
 * composed of this and what follows: the rules of a lease, each once.
 */
export const leaseIsFree = (row: string): string =>
  `(${row}.lease_until IS NULL OR ${row}.lease_until < clock_timestamp())`;

/** The end of a lease that begins now. @param milliseconds a parameter */
export const leaseFor = (milliseconds: string): string =>
  `clock_timestamp() + make_interval(secs => ${milliseconds}::float8 / 1000)`;

/**
 * For statements by which a process takes what it sends at once: it may not know yet that sending is held. One row at most
 * is read, in the same statement.
 */
export const IS_NOT_HELD = 'NOT EXISTS (SELECT 1 FROM sending_holds)';
