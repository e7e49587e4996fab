/** The present second, since 1970. */
export const SECOND = `floor(extract(epoch FROM clock_timestamp()))::bigint`;

/** Whether the head of buckets was written by a clock that was more than a minute ahead and has been corrected. */
export const isHeadAhead = (head: string, second: string): string => `${head} > ${second} + 60`;

/**
 * The 61 counts of the seconds that end with $second, shifted from the row's last second; no counts where the row is
 * ahead.
 */
export const shifted = (row: string, second: string): string =>
  `(array_fill(0, ARRAY[CASE WHEN ${isHeadAhead(`${row}.head`, second)} THEN 61
      ELSE least(61, greatest(0, ${second} - ${row}.head)) END::int]) || ${row}.counts)[1:61]`;

/** The sum of counts. */
export const total = (counts: string): string => `(SELECT coalesce(sum(c), 0) FROM unnest(${counts}) c)`;
