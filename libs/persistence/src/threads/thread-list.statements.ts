import { SEES_ASSISTANT } from '../accounts/active-session.columns';
import { preciseTime, preciseTimeOf } from '../database/precise.time';
import { statement } from '../database/sql.statement';
import { CARD_COLUMNS, type CardRow } from './card.columns';
import type { ThreadEntity } from './thread.entity';
import { ASKED, FILTERED } from './thread.filter';
import { isWaiting, waitingSince } from './thread.rules';

const SHOWN = (rows: string, order: string, further = ''): string => `
  SELECT ${CARD_COLUMNS}${further}
    FROM (${rows}) t
    LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   ORDER BY ${order}`;

/** The first threads of each assistant that pass the filter, and of these the first. */
const OF_ASSISTANTS = (where: string, order: string): string => `
    SELECT h.* FROM unnest(:assistantIds::uuid[]) a (id) CROSS JOIN LATERAL (
      SELECT h.* FROM threads h
       WHERE h.account_id = :accountId AND h.assistant_id = a.id AND ${where} ${FILTERED}
       ORDER BY ${order} LIMIT :limit) h
     ORDER BY ${order} LIMIT :limit`;

/** After the thread that the page follows; null: from the newest. */
const BEHIND = `h.id < coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;

/**
 * A page, in the order of the ids. Ids never change, so no move takes a thread from one page to another. Each
 * assistant is read along one index, so that reading ends with the page however many threads it has.
 */
export const PAGE = statement('thread-page')
  .takes(...ASKED, 'before', 'limit')
  .returns<CardRow>(SHOWN(OF_ASSISTANTS(BEHIND, 'h.id DESC'), 't.id DESC'));

/** IS TRUE keeps the planner from the index by assistants, along which it would read all of their threads. */
const ALL = `
      SELECT h.* FROM threads h
       WHERE h.account_id = :accountId AND (h.assistant_id = ANY (:assistantIds::uuid[])) IS TRUE ${FILTERED}`;

/** The same for threads of given addresses, or among given ones, which are found by these. */
export const PAGE_OF_CONTACTS = statement('thread-page-contacts')
  .takes(...ASKED, 'before', 'limit')
  .returns<CardRow>(SHOWN(`${ALL} AND ${BEHIND} ORDER BY h.id DESC LIMIT :limit`, 't.id DESC'));

export const MISSING = statement('thread-contacts-missing')
  .takes(...ASKED)
  .returns<Pick<ThreadEntity, 'contact'>>(
    `SELECT unnest(:contacts::text[]) AS contact EXCEPT SELECT contact FROM (${ALL}) h`,
  );

/** A stage, or null. */
export interface TotalRow extends Pick<ThreadEntity, 'status_id'> {
  total: number;
}

/** How many threads pass the filter, by their stages. */
export const TOTALS = statement('thread-totals')
  .takes(...ASKED)
  .returns<TotalRow>(`SELECT h.status_id, count(*)::int AS total FROM (${ALL}) h GROUP BY h.status_id`);

/** Which of some threads pass the filter. They are found by their ids, so that a plan for any filter serves. */
export const MATCHING = statement('thread-matching').takes(...ASKED, 'ids').returns<
  Pick<ThreadEntity, 'id'>
>(`
  SELECT h.id FROM threads h
   WHERE h.account_id = :accountId AND h.id = ANY (:ids::uuid[])
     AND h.assistant_id = ANY (:assistantIds::uuid[]) ${FILTERED}`);

/** What a page by activity has seen of the database, so that the next one goes on in the same order. */
export interface ActivityRow extends CardRow {
  /** The time by which it is ordered, with its microseconds. */
  position_at: string;
  snapshot: string;
  seen_at: string;
}

const BY_ACTIVITY = 'h.last_activity_at DESC, h.id DESC';

/** The first page by the last activity. */
export const PAGE_BY_ACTIVITY = statement('thread-page-activity')
  .takes(...ASKED, 'limit')
  .returns<ActivityRow>(
    SHOWN(
      OF_ASSISTANTS('true', BY_ACTIVITY),
      't.last_activity_at DESC, t.id DESC',
      `, ${preciseTime('t.last_activity_at')} AS position_at, pg_current_snapshot()::text AS snapshot,
         ${preciseTime('statement_timestamp()')} AS seen_at`,
    ),
  );

/** What is committed later than the first page saw may have a time from before it, but none that is older. */
const SETTLED = `(${preciseTimeOf(':seenAt')} - interval '60 s')`;

/** The whole id of the transaction that wrote a row: of its 32 bits, and the first ones of a snapshot that is younger by less than 2^31. */
const writerOf = (row: string): string => `(
  SELECT (${row}.xmin::text::bigint + ((newest - ${row}.xmin::text::bigint + 2147483648) >> 32 << 32))::text::xid8
    FROM (SELECT pg_snapshot_xmax(:snapshot::pg_snapshot)::text::bigint AS newest) x)`;

/**
 * Where a thread was when the first page was read: at the last event that this page could see. Null: it was opened later.
 * A process of a former version left some threads without an event of their beginning.
 */
const PLACE = `coalesce(
        (SELECT e.at FROM events e
          WHERE e.account_id = h.account_id AND e.thread_id = h.id
            AND e.type IN ('opened', 'status', 'message', 'ai', 'handler', 'name', 'attention', 'assignee')
            AND (e.at <= ${SETTLED} OR pg_visible_in_snapshot(${writerOf('e')}, :snapshot::pg_snapshot))
          ORDER BY e.seq DESC LIMIT 1),
        CASE WHEN NOT EXISTS (SELECT 1 FROM events e WHERE e.account_id = h.account_id AND e.thread_id = h.id
                                 AND e.type = 'opened') THEN h.created_at END)`;

const AFTER = `(${preciseTimeOf(':afterAt')}, :afterId::uuid)`;

/**
 * A further page by the last activity, as it was when the first page was read: no thread is missed or comes twice, although
 * moves take threads to the front. Those that were active since are few; their former place is in the log.
 */
export const PAGE_BY_ACTIVITY_AFTER = statement('thread-page-activity-after')
  .takes(...ASKED, 'limit', 'snapshot', 'seenAt', 'afterAt', 'afterId')
  .returns<ActivityRow>(
    SHOWN(
      `SELECT * FROM (
         SELECT u.*, u.last_activity_at AS place FROM (${OF_ASSISTANTS(
           `h.last_activity_at <= ${SETTLED} AND (h.last_activity_at, h.id) < ${AFTER}`,
           BY_ACTIVITY,
         )}) u
         UNION ALL
         SELECT h.*, p.place FROM unnest(:assistantIds::uuid[]) a (id) CROSS JOIN LATERAL (
           SELECT h.* FROM threads h
            WHERE h.account_id = :accountId AND h.assistant_id = a.id AND h.last_activity_at > ${SETTLED} ${FILTERED}) h
          CROSS JOIN LATERAL (SELECT ${PLACE} AS place) p
          WHERE (p.place, h.id) < ${AFTER}) g
        ORDER BY g.place DESC, g.id DESC LIMIT :limit`,
      't.place DESC, t.id DESC',
      `, ${preciseTime('t.place')} AS position_at, :snapshot::text AS snapshot,
         ${preciseTime(`(${preciseTimeOf(':seenAt')})`)} AS seen_at`,
    ),
  );

export interface WaitingRow extends CardRow {
  /** Since when its customer waits, with its microseconds. */
  position_at: string;
}

/**
 * A page of those whose customers wait, the longest waiting first. A further message of the same customer changes nothing
 * of that, nor does a move.
 */
export const PAGE_WAITING = statement('thread-page-waiting')
  .takes(...ASKED, 'limit', 'afterAt', 'afterId')
  .returns<WaitingRow>(
    SHOWN(
      OF_ASSISTANTS(
        `${isWaiting('h')} AND (${waitingSince('h')}, h.id) > (coalesce(${preciseTimeOf(':afterAt')}, '-infinity'), coalesce(:afterId::uuid, '00000000-0000-0000-0000-000000000000'))`,
        `${waitingSince('h')}, h.id`,
      ),
      `${waitingSince('t')}, t.id`,
      `, ${preciseTime(waitingSince('t'))} AS position_at`,
    ),
  );

/** A page of all others. */
export const PAGE_NOT_WAITING = statement('thread-page-not-waiting')
  .takes(...ASKED, 'before', 'limit')
  .returns<CardRow>(SHOWN(OF_ASSISTANTS(`NOT ${isWaiting('h')} AND ${BEHIND}`, 'h.id DESC'), 't.id DESC'));

export const STAGE_EXISTS = statement('thread-stage-exists').takes('accountId', 'assistantIds', 'statusId')
  .returns(`
  SELECT 1 FROM statuses WHERE account_id = :accountId AND id = :statusId AND assistant_id = ANY (:assistantIds::uuid[])`);

export const SCENARIO_EXISTS = statement('thread-scenario-exists').takes(
  'accountId',
  'assistantIds',
  'scenarioId',
).returns(`
  SELECT 1 FROM scenarios WHERE account_id = :accountId AND id = :scenarioId AND assistant_id = ANY (:assistantIds::uuid[])`);

export const USER_EXISTS = statement('thread-user-exists').takes('accountId', 'assistantIds', 'userId')
  .returns(`
  SELECT 1 FROM users u CROSS JOIN unnest(:assistantIds::uuid[]) a (id)
   WHERE u.account_id = :accountId AND u.id = :userId AND ${SEES_ASSISTANT('u', 'a.id')} LIMIT 1`);
