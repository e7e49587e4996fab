import { statement } from '../../database/sql.statements';
import { ACTIVE_KEY_COLUMNS, IS_ACTIVE_KEY, type ActiveKey, type Secret, SECRET_IS } from './api-key.entity';

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

/** The two counters of a key; the column is called `scope`. */
export type RateCounter = 'leads' | 'general';

export interface AdmittedKey extends ActiveKey {
  /** Calls allowed in any 60 seconds. */
  lim: number;
  passed: boolean;
  /** Calls in the last 60 seconds, this one included if it passed. */
  used: number;
  /**
   * Seconds until a call passes again: until the oldest counted call no longer counts or, when more calls count than
   * a lowered limit allows, until enough of them do not. Null when no call counts.
   */
  reset_s: number | null;
}

/**
 * Longest window that is stored as exact times. Longer ones are rewritten with each call and allow only 390 calls a
 * second (measured).
 */
export const EXACT_LIMIT_MAX = 240;

/** Of the key whose window `w` is being written. */
const ofRow = (column: string): string =>
  `(SELECT k.${column} FROM k WHERE k.id = w.key_id AND k.scope = w.scope)`;

/** An active key by a secret's hash, and the limit of one of its counters. All are expressions of the statement. */
const keyOf = (secret: Secret, hash: string, scope: string, defaultLimit: string): string => `
    SELECT ${ACTIVE_KEY_COLUMNS},
           coalesce(CASE ${scope} WHEN 'leads' THEN k.limit_leads ELSE k.limit_general END, ${defaultLimit}) AS lim
      FROM api_keys k WHERE ${SECRET_IS[secret](hash)} AND ${IS_ACTIVE_KEY}`;

/**
 * The window of a `key`, found by its index. OFFSET keeps the planner from using a join. A join costs nothing on an
 * empty table, but 1.7 ms a call at 8,000 windows (measured), and the plan is made once.
 */
const windowOf = (table: string, columns: string, scope: string, isAhead: string): string =>
  `SELECT ${columns} FROM ${table} WHERE key_id = key.id AND scope = ${scope} AND (${isAhead}) IS NOT TRUE OFFSET 0`;

/**
 * A window written by a clock that was more than a minute ahead and has been corrected. It starts over; otherwise it
 * would refuse its key until real time reaches that clock.
 */
const isAhead = (hits: string): string =>
  `${hits}[cardinality(${hits})] > clock_timestamp() + interval '60 s'`;

/** Whether a window that was not written ahead leaves no room for a call, by the calls that it allows. */
const isFull = (hits: string, room: string): string =>
  `${hits}[cardinality(${hits}) - ${room} + 1] > clock_timestamp() - interval '60 s'`;

/** A window with one more call. It keeps as many as its limit. */
const withCall = (hits: string, limit: string): string =>
  `${hits}[greatest(1, cardinality(${hits}) - ${limit} + 2):]
                      || greatest(clock_timestamp(), ${hits}[cardinality(${hits})])`;

/**
 * What still counts of the other kind of window, for a key whose limit changed from one kind to the other: how many
 * calls, and until when the oldest counts. Where more calls count than the limit allows, it is the time at which a
 * call passes again. An expired window stays in the table and is not read.
 */
const carriedTimes = (scope: string): string => `
    SELECT count(*)::int AS carried, min(h) + interval '60 s' AS carried_until
      FROM (${windowOf('rate_windows', 'hits', scope, isAhead('hits'))}) b CROSS JOIN LATERAL unnest(b.hits) h
     WHERE b.hits[cardinality(b.hits)] > clock_timestamp() - interval '60 s'
       AND h > clock_timestamp() - interval '60 s'`;

/** The same of a counter `b` of whole seconds. */
const CARRIED_COUNTS = `
    SELECT coalesce(${callsIn('b')}, 0)::int AS carried, ${passesAt('b', 'key.lim')} AS carried_until OFFSET 0`;

/**
 * Keys and exact sliding windows of several calls in one statement. A window is the array of the last N accepted
 * times, in their order. A call passes when the N-th last is 60 s old; N is the limit less what the other kind of window
 * still counts. Refused calls are not counted. Only time empties a full window, so refusing takes no lock, even on an old
 * snapshot. Passing locks the window's row and checks again. Rows are locked in the order of their keys, so statements
 * cannot deadlock.
 *
 * `hashes`, `counters` and `defaultLimits` have an entry for each call, no two of one key and counter. `width_bucket`
 * counts the past times of a window by binary search.
 */
const exact = (secret: Secret): string => `
  WITH k AS MATERIALIZED (
    SELECT q.n, q.scope, key.*, o.hits, c.carried, c.carried_until, key.lim - c.carried AS room,
           c.carried >= key.lim
           OR ${isFull('o.hits', '(key.lim - c.carried)')} AS is_full
      FROM unnest(:hashes::bytea[], :counters::text[], :defaultLimits::int[]) WITH ORDINALITY AS q (key_hash, scope, default_limit, n)
      CROSS JOIN LATERAL (${keyOf(secret, 'q.key_hash', 'q.scope', 'q.default_limit')} OFFSET 0) key
      LEFT JOIN LATERAL (${windowOf('rate_windows', 'hits', 'q.scope', isAhead('hits'))}) o ON true
      LEFT JOIN LATERAL (${windowOf('rate_counters', 'head, sums', 'q.scope', isHeadAhead('head', SECOND))}) b ON true
      CROSS JOIN LATERAL (${CARRIED_COUNTS}) c),
  hit AS (
    INSERT INTO rate_windows AS w (key_id, scope, hits)
    SELECT id, scope, ARRAY[clock_timestamp()] FROM k
     WHERE is_full IS NOT TRUE AND lim <= ${EXACT_LIMIT_MAX} ORDER BY id, scope
    ON CONFLICT (key_id, scope) DO UPDATE
      SET hits = CASE WHEN ${isAhead('w.hits')} THEN ARRAY[clock_timestamp()]
                 ELSE ${withCall('w.hits', ofRow('lim'))} END
      WHERE (${isFull('w.hits', ofRow('room'))}) IS NOT TRUE
         OR ${isAhead('w.hits')}
    RETURNING w.key_id, w.scope, w.hits)
  SELECT k.n::int AS n, ${ACTIVE_KEY_COLUMNS}, k.lim,
         hit.hits IS NOT NULL AS passed, coalesce(cardinality(r.hits) - r.past, 0) + k.carried AS used,
         extract(epoch FROM least(greatest(r.hits[r.past + 1], r.hits[cardinality(r.hits) - k.room + 1]) + interval '60 s',
                                  k.carried_until) - clock_timestamp())::float8 AS reset_s
    FROM k LEFT JOIN hit ON hit.key_id = k.id AND hit.scope = k.scope
    CROSS JOIN LATERAL (
      SELECT hits, width_bucket(clock_timestamp() - interval '60 s', hits) AS past
        FROM (SELECT coalesce(hit.hits, k.hits) AS hits OFFSET 0) w OFFSET 0) r`;

/**
 * The most frequent case of {@link EXACT} for a call that comes alone: its window has room, and its counter has no calls
 * that count. Any other call changes nothing here, does not pass, and is left to that statement. What makes it quick is a
 * small plan, when PostgreSQL is not in the processor's caches: 0.42 ms instead of 0.56 after a pause of 8 ms (measured).
 */
export const ONE = statement('admit-one').takes('hash', 'counter', 'defaultLimit').returns<AdmittedKey>(`
  WITH k AS MATERIALIZED (
    SELECT key.*,
           (SELECT ${callsIn('b')} > 0 FROM rate_counters b WHERE key_id = key.id AND scope = :counter::text) AS carries,
           (SELECT ${isFull('hits', 'key.lim')} FROM rate_windows WHERE key_id = key.id AND scope = :counter::text) AS is_full
      FROM (${keyOf('present', ':hash', ':counter::text', ':defaultLimit::int')}) key),
  hit AS (
    INSERT INTO rate_windows AS w (key_id, scope, hits)
    SELECT id, :counter::text, ARRAY[clock_timestamp()] FROM k
     WHERE lim <= ${EXACT_LIMIT_MAX} AND carries IS NOT TRUE AND is_full IS NOT TRUE
    ON CONFLICT (key_id, scope) DO UPDATE SET hits = ${withCall('w.hits', '(SELECT lim FROM k)')}
      WHERE (${isFull('w.hits', '(SELECT lim FROM k)')}) IS NOT TRUE AND (${isAhead('w.hits')}) IS NOT TRUE
    RETURNING w.hits)
  SELECT ${ACTIVE_KEY_COLUMNS}, k.lim, hit.hits IS NOT NULL AS passed, cardinality(hit.hits) - r.past AS used,
         extract(epoch FROM hit.hits[r.past + 1] + interval '60 s' - clock_timestamp())::float8 AS reset_s
    FROM k LEFT JOIN hit ON true
    CROSS JOIN LATERAL (SELECT width_bucket(clock_timestamp() - interval '60 s', hit.hits) AS past OFFSET 0) r`);

/**
 * The same for raised limits, by whole seconds. Any 60 s touch at most 61 of them, so never more than N calls pass, and a
 * call may be refused up to a second early. The second is read after the row is locked. If SET reads a later second than
 * WHERE, fewer calls count.
 */
const raised = (secret: Secret): string => `
  WITH k AS MATERIALIZED (
    SELECT key.*, o.head, o.sums, c.carried, c.carried_until, key.lim - c.carried AS room,
           coalesce(${callsIn('o')}, 0) >= key.lim - c.carried AS is_full
      FROM (${keyOf(secret, ':hash', ':counter::text', ':defaultLimit::int')}) key
      LEFT JOIN LATERAL (${windowOf('rate_counters', 'head, sums', ':counter::text', isHeadAhead('head', SECOND))}) o ON true
      CROSS JOIN LATERAL (${carriedTimes(':counter::text')}) c),
  hit AS (
    INSERT INTO rate_counters AS w (key_id, scope, head, sums)
    SELECT id, :counter::text, ${SECOND}, ${FIRST_CALL} FROM k WHERE is_full IS NOT TRUE AND lim > ${EXACT_LIMIT_MAX}
    ON CONFLICT (key_id, scope) DO UPDATE SET (head, sums) = (${withCallNow('w')})
      WHERE CASE WHEN ${isHeadAhead('w.head', SECOND)} THEN 0 ELSE ${callsIn('w')} END < (SELECT room FROM k)
    RETURNING w.head, w.sums)
  SELECT ${ACTIVE_KEY_COLUMNS}, k.lim, hit.head IS NOT NULL AS passed,
         coalesce(${callsIn('r')}, 0)::int + k.carried AS used,
         extract(epoch FROM least(${passesAt('r', 'r.room')}, k.carried_until) - clock_timestamp())::float8 AS reset_s
    FROM k LEFT JOIN hit ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(hit.head, k.head) AS head, coalesce(hit.sums, k.sums) AS sums, k.room OFFSET 0) r`;

type NumberedKey = AdmittedKey & { n: number };

/** By either secret of a key. A statement that looks for both would cost every call 3% more (measured). */
export const EXACT = {
  present: statement('admit-exact')
    .takes('hashes', 'counters', 'defaultLimits')
    .returns<NumberedKey>(exact('present')),
  old: statement('admit-exact-old')
    .takes('hashes', 'counters', 'defaultLimits')
    .returns<NumberedKey>(exact('old')),
};
export const RAISED = {
  present: statement('admit-raised')
    .takes('hash', 'counter', 'defaultLimit')
    .returns<AdmittedKey>(raised('present')),
  old: statement('admit-raised-old')
    .takes('hash', 'counter', 'defaultLimit')
    .returns<AdmittedKey>(raised('old')),
};
