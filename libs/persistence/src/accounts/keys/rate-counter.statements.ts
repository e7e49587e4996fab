/**
 * A sliding window of whole seconds: `head` is the second of the last call, `sums[i]` how many calls had been counted by the end of
 * the second `head - 62 + i`. The last 61 seconds are the difference of two sums, whatever the limit. Counts of single
 * seconds, which had to be shifted and added up, made a call by a session cost PostgreSQL twice as much (measured).
 */
const SUMS = 62;

/** The present second, since 1970. */
export const SECOND = `floor(date_part('epoch', clock_timestamp()))::bigint`;

/** Whether a window was written by a clock that was more than a minute ahead and has been corrected. It starts over. */
export const isHeadAhead = (head: string, second: string): string => `${head} > ${second} + 60`;

/** What had been counted before the 61 seconds that end now. */
const before = (row: string): string =>
  `${row}.sums[least(${SUMS}, greatest(1, ${SECOND} - ${row}.head + 1))::int]`;

/** The calls of the last 61 seconds; null where there is no row. */
export const callsIn = (row: string): string => `(${row}.sums[${SUMS}] - ${before(row)})`;

/** The window of a first call. */
export const FIRST_CALL = `array_fill(0::bigint, ARRAY[${SUMS - 1}]) || 1::bigint`;

/** The `head` and `sums` of a row with one more call, which is counted in one second, whatever the clock shows next. */
export const withCallNow = (row: string): string => `
    SELECT CASE WHEN n.is_ahead THEN n.second ELSE ${row}.head + n.later END,
           CASE WHEN n.is_ahead THEN ${FIRST_CALL}
                WHEN n.later = 0 THEN ${row}.sums[:${SUMS - 1}] || ${row}.sums[${SUMS}] + 1
                ELSE (${row}.sums || array_fill(${row}.sums[${SUMS}], ARRAY[least(${SUMS}, n.later)::int]))
                     [least(${SUMS}, n.later)::int + 1:least(${SUMS}, n.later)::int + ${SUMS - 1}] || ${row}.sums[${SUMS}] + 1 END
      FROM (SELECT c.second, ${isHeadAhead(`${row}.head`, 'c.second')} AS is_ahead,
                   greatest(0, c.second - ${row}.head) AS later
              FROM (SELECT ${SECOND} AS second OFFSET 0) c OFFSET 0) n`;

/**
 * When a call passes again: as soon as the oldest call that counts does not, or, where more than `room` count, enough of
 * them. Null when none counts. Sums only grow, so a binary search finds the second.
 */
export const passesAt = (row: string, room: string): string => `
    CASE WHEN ${callsIn(row)} > 0 THEN to_timestamp(${row}.head - 1 + least(${SUMS}, 1 + greatest(
      width_bucket(${before(row)}, ${row}.sums), width_bucket(${row}.sums[${SUMS}] - (${room}), ${row}.sums)))) END`;
