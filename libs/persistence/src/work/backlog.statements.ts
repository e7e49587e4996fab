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
