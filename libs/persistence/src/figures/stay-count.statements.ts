import { statement } from '../database/sql.statements';
import { changedHour, type ChangedHour } from './changed-hours';

/**
 * Adds a stay for each given move of the log, and ends the one before it. Moves that are counted already change nothing:
 * those of one dialog become visible in the order of their numbers, so its last stay tells which are. A dialog whose first
 * move led out of a stage has been there since it was opened.
 */
export const ADD_STAYS = statement('figures-add-stays').takes('accountId', 'assistantId', 'threads', 'seqs')
  .returns<ChangedHour>(`
  WITH given AS MATERIALIZED (
    SELECT e.* FROM unnest(:threads::uuid[], :seqs::bigint[]) g (thread_id, seq)
     CROSS JOIN LATERAL (
       SELECT thread_id, seq, at, type, (body ->> 'from')::uuid AS from_id, (body ->> 'to')::uuid AS status_id
         FROM events WHERE account_id = :accountId AND thread_id = g.thread_id AND seq = g.seq OFFSET 0) e),
  latest AS MATERIALIZED (
    SELECT d.thread_id, s.seq FROM (SELECT DISTINCT thread_id FROM given) d
      LEFT JOIN LATERAL (
        SELECT seq FROM figure_stays WHERE account_id = :accountId AND thread_id = d.thread_id
         ORDER BY seq DESC LIMIT 1) s ON true),
  fresh AS MATERIALIZED (
    SELECT g.*, l.seq AS last_seq, row_number() OVER (PARTITION BY g.thread_id ORDER BY g.seq) AS nth
      FROM given g JOIN latest l ON l.thread_id = g.thread_id WHERE g.seq > coalesce(l.seq, -1)),
  entries AS MATERIALIZED (
    SELECT e.*, lead(e.at) OVER (PARTITION BY e.thread_id ORDER BY e.seq) AS left_at,
           max(e.at) FILTER (WHERE e.counted) OVER (
             PARTITION BY e.thread_id, e.status_id ORDER BY e.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier_at
      FROM (
        SELECT thread_id, seq, at, status_id, true AS counted FROM fresh
        UNION ALL
        SELECT f.thread_id, 0, t.created_at, f.from_id, false FROM fresh f
         CROSS JOIN LATERAL (
           SELECT created_at FROM threads WHERE account_id = :accountId AND id = f.thread_id OFFSET 0) t
         WHERE f.nth = 1 AND f.last_seq IS NULL AND f.type = 'status') e),
  ended AS (
    UPDATE figure_stays s SET left_at = f.at FROM fresh f
     WHERE s.account_id = :accountId AND s.thread_id = f.thread_id AND s.seq = f.last_seq AND f.nth = 1
    RETURNING s.left_at),
  added AS (
  INSERT INTO figure_stays (account_id, thread_id, seq, assistant_id, status_id, entered_at, left_at, counted, earlier_at)
  SELECT :accountId, e.thread_id, e.seq, :assistantId, e.status_id, e.at, e.left_at, e.counted,
         coalesce(e.earlier_at, (
           SELECT max(s.entered_at) FROM figure_stays s
            WHERE s.account_id = :accountId AND s.thread_id = e.thread_id AND s.counted
              AND s.status_id IS NOT DISTINCT FROM e.status_id))
    FROM entries e
    RETURNING entered_at, left_at)
  SELECT ${changedHour(['moves'], 'entered_at')} FROM added
  UNION
  SELECT ${changedHour(['moves', 'stay_times'], 'left_at')}
    FROM (SELECT left_at FROM added WHERE left_at IS NOT NULL UNION ALL SELECT left_at FROM ended) l`);

/** The leads have entered a stage of kind success by the given moves: all their stays before have led there. */
export const CONVERT = statement('figures-convert').takes('accountId', 'threads', 'seqs')
  .returns<ChangedHour>(`
  WITH changed AS (
  UPDATE figure_stays s SET converted = true
    FROM (SELECT thread_id, max(seq) AS seq FROM unnest(:threads::uuid[], :seqs::bigint[]) g (thread_id, seq)
           GROUP BY thread_id) g
   WHERE s.account_id = :accountId AND s.thread_id = g.thread_id AND s.seq < g.seq AND NOT s.converted
   RETURNING s.entered_at)
  SELECT DISTINCT ${changedHour(['moves'], 'entered_at')} FROM changed`);

/**
 * Decides anew, for some dialogs of an agent in the order of their ids, which stays led to success. The stages of kind
 * success have changed.
 */
export const CONVERT_ANEW = statement('figures-convert-anew').takes(
  'accountId',
  'assistantId',
  'successIds',
  'after',
  'limit',
).returns<ChangedHour>(`
  WITH dialogs AS MATERIALIZED (
    SELECT id FROM threads WHERE account_id = :accountId AND assistant_id = :assistantId AND id > :after
     ORDER BY id LIMIT :limit),
  reached AS MATERIALIZED (
    SELECT d.id, (SELECT max(s.seq) FROM figure_stays s
                   WHERE s.account_id = :accountId AND s.thread_id = d.id AND s.counted
                     AND s.status_id = ANY (:successIds::uuid[])) AS seq
      FROM dialogs d),
  changed AS (
    UPDATE figure_stays s SET converted = coalesce(s.seq < r.seq, false) FROM reached r
     WHERE s.account_id = :accountId AND s.thread_id = r.id AND s.converted <> coalesce(s.seq < r.seq, false)
     RETURNING s.entered_at),
  moved AS (
    UPDATE figure_positions p
       SET redone_to = (SELECT id FROM dialogs ORDER BY id DESC LIMIT 1)
     WHERE p.account_id = :accountId AND p.assistant_id = :assistantId)
  SELECT DISTINCT ${changedHour(['moves'], 'entered_at')} FROM changed`);
