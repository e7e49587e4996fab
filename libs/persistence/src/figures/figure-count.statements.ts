import { NOTE, QUIET_TYPES } from '@app/contracts/message.words';
import { statement } from '../database/sql.statements';
import type { MessageEntity } from '../messages/dialog/message.entity';
import { countsAsAnswer } from '../threads/thread.rules';
import type { FigureMessageEntity, FigureRangeEntity, FigureRangeKind } from './figure.entity';
import { DAY } from './time-classes';

/** An hour in which something that is counted has changed, for the ranges of a kind. */
export interface ChangedHour {
  kind: FigureRangeEntity['kind'];
  /** The bot; null: the agent. */
  bot_id: FigureMessageEntity['bot_id'] | null;
  hour: Date;
}

/** The columns of a {@link ChangedHour}. @param at when what has changed was; @param bot null: the agent's ranges */
const changedHour = (kinds: readonly FigureRangeKind[], at: string, bot = 'NULL::uuid'): string =>
  `unnest('{${kinds.join(',')}}'::text[]) AS kind, ${bot} AS bot_id, date_bin('1 hour', ${at}, 'epoch') AS hour`;

/** How long after a template a message of the customer counts as a reply to it. */
const REPLIES_WITHIN = DAY;

const SAY_NOTHING = [...QUIET_TYPES, NOTE].map((type) => `'${type}'`).join(', ');

/** Whether somebody says something to the other side: not in a reaction, an edit, a removal, a notice or a note. */
const saysSomething = (row: string): string =>
  `coalesce(CASE WHEN ${row}.type = 'unsupported' THEN ${row}.content ->> 'unsupported_type' ELSE ${row}.type END, '')
             NOT IN (${SAY_NOTHING})`;

/** Whether a message of ours answers what waits before it. */
const answers = (row: string): string =>
  `(${row}.role <> 'USER' AND ${countsAsAnswer(`${row}.status`)} AND ${saysSomething(row)})`;

/** Messages by their ids, each found by its key whatever the planner knows of the table. */
const messagesById = (ids: string, columns: string): string => `
    SELECT m.* FROM (SELECT DISTINCT id FROM unnest(${ids}::uuid[]) id) g
     CROSS JOIN LATERAL (
       SELECT ${columns} FROM messages WHERE account_id = :accountId AND id = g.id OFFSET 0) m`;

/** The messages of the same dialog as a row, in the order in which they are read. */
const inDialogOf = (row: string, message: string, comparison: '<' | '>'): string =>
  `${message}.account_id = :accountId AND ${message}.thread_id = ${row}.thread_id
             AND (${message}.created_at, ${message}.id) ${comparison} (${row}.created_at, ${row}.id)`;

/** A longer name than any that a provider knows is cut: it is part of an index. */
const NAME_MAX = 512;

/** A message that says something: the customer's, or one of ours of which something has changed. */
export type CountedMessage = Pick<MessageEntity, 'id' | 'bot_id' | 'created_at' | 'inbound'> & {
  /** Whether it is the customer's, or has begun or ceased to count. */
  counts_anew: boolean;
  is_template: boolean;
};

/**
 * Keeps what figures need of messages of ours, as they are now: any number of times, with the same result.
 * @returns messages of customers, and what has changed of ours
 */
export const KEEP_MESSAGES = statement('figures-keep-messages').takes('accountId', 'assistantId', 'ids')
  .returns<CountedMessage>(`
  WITH found AS MATERIALIZED (
    SELECT f.*, ${countsAsAnswer('f.status')} AS counts
      FROM (${messagesById(
        ':ids',
        'id, thread_id, bot_id, channel, created_at, role, type, status, content, error_code, provider_code',
      )}) f
     WHERE ${saysSomething('f')}),
  was AS MATERIALIZED (
    SELECT f.id, k.counts FROM found f
     CROSS JOIN LATERAL (
       SELECT counts FROM figure_messages WHERE account_id = :accountId AND message_id = f.id OFFSET 0) k),
  kept AS (
    INSERT INTO figure_messages AS k (account_id, message_id, assistant_id, bot_id, channel, at, role, status, counts,
                                      template, language, replied, error_code, provider_code)
    SELECT :accountId, f.id, :assistantId, f.bot_id, f.channel, f.created_at, f.role, f.status, f.counts,
           CASE WHEN f.type = 'template' THEN left(f.content ->> 'name', ${NAME_MAX}) END,
           CASE WHEN f.type = 'template' THEN left(f.content ->> 'language', ${NAME_MAX}) END,
           f.type = 'template' AND EXISTS (
             SELECT 1 FROM messages u
              WHERE u.account_id = :accountId AND u.thread_id = f.thread_id AND u.created_at > f.created_at
                AND u.created_at <= f.created_at + ${REPLIES_WITHIN} AND u.role = 'USER' AND ${saysSomething('u')}),
           f.error_code, f.provider_code
      FROM found f WHERE f.role <> 'USER'
    ON CONFLICT (account_id, message_id) DO UPDATE
      SET status = excluded.status, counts = excluded.counts, error_code = excluded.error_code,
          provider_code = excluded.provider_code
      WHERE (k.status, k.error_code, k.provider_code)
            IS DISTINCT FROM (excluded.status, excluded.error_code, excluded.provider_code)
    RETURNING k.message_id)
  SELECT f.id, f.bot_id, f.created_at, f.role = 'USER' AS inbound, f.type = 'template' AND f.role <> 'USER' AS is_template,
         f.role = 'USER' OR f.counts <> coalesce(w.counts, false) AS counts_anew
    FROM found f LEFT JOIN was w ON w.id = f.id
   WHERE f.role = 'USER' OR f.id IN (SELECT message_id FROM kept)`);

/**
 * Decides anew which messages of ours are first answers: the given ones, and the next that counts after each. No other
 * can have changed, because what a message answers depends on the one of ours before it, and on what the customer wrote
 * between them.
 */
export const TIME_ANSWERS = statement('figures-time-answers').takes('accountId', 'ids').returns<ChangedHour>(`
  WITH given AS MATERIALIZED (${messagesById(':ids', 'id, thread_id, created_at, role, type, status, content')}),
  targets AS MATERIALIZED (
    SELECT id, thread_id, created_at FROM given WHERE ${answers('given')}
    UNION
    SELECT n.* FROM given g CROSS JOIN LATERAL (
      SELECT m.id, m.thread_id, m.created_at FROM messages m
       WHERE ${inDialogOf('g', 'm', '>')} AND ${answers('m')}
       ORDER BY m.created_at, m.id LIMIT 1) n),
  timed AS MATERIALIZED (
    SELECT t.id, b.created_at AS began_at FROM targets t
      LEFT JOIN LATERAL (
        SELECT m.created_at, m.id FROM messages m
         WHERE ${inDialogOf('t', 'm', '<')} AND ${answers('m')}
         ORDER BY m.created_at DESC, m.id DESC LIMIT 1) p ON true
      LEFT JOIN LATERAL (
        SELECT m.created_at FROM messages m
         WHERE ${inDialogOf('t', 'm', '<')} AND m.role = 'USER' AND ${saysSomething('m')}
           AND (m.created_at, m.id) > (coalesce(p.created_at, '-infinity'), coalesce(p.id, '00000000-0000-0000-0000-000000000000'))
         ORDER BY m.created_at, m.id LIMIT 1) b ON true),
  changed AS (
  UPDATE figure_messages k SET began_at = t.began_at FROM timed t
   WHERE k.account_id = :accountId AND k.message_id = t.id AND k.began_at IS DISTINCT FROM t.began_at
   RETURNING k.at)
  SELECT DISTINCT ${changedHour(['messages', 'answer_times'], 'at')} FROM changed`);

/** Templates that the given messages of customers are replies to. */
export const MARK_REPLIES = statement('figures-mark-replies').takes('accountId', 'ids').returns<ChangedHour>(`
  WITH given AS MATERIALIZED (${messagesById(':ids', 'id, thread_id, created_at')}),
  answered AS MATERIALIZED (
    SELECT DISTINCT t.id FROM given g CROSS JOIN LATERAL (
      SELECT m.id FROM messages m
       WHERE m.account_id = :accountId AND m.thread_id = g.thread_id AND m.created_at < g.created_at
         AND m.created_at >= g.created_at - ${REPLIES_WITHIN} AND m.type = 'template' AND m.role <> 'USER') t),
  changed AS (
  UPDATE figure_messages k SET replied = true FROM answered a
   WHERE k.account_id = :accountId AND k.message_id = a.id AND NOT k.replied
   RETURNING k.bot_id, k.at)
  SELECT DISTINCT ${changedHour(['templates'], 'at', 'bot_id')} FROM changed`);

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
