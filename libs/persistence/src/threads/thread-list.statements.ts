import { SEES_ASSISTANT } from '../accounts/people/session.statements';
import { preciseTime, preciseTimeOf, statement } from '../database/sql.statements';
import { CARD_COLUMNS, type CardRow } from './card-columns';
import type { ThreadEntity } from './thread.entity';
import { ASKED, FILTERED } from './thread-filter';
import { isWaiting, waitingSince } from './thread.rules';
import { finds, opensBefore } from './thread-search.statements';
import {
  HAS_CHANGED,
  PLACE_BY_ACTIVITY,
  SETTLED,
  WAITED_BY_MESSAGES,
  WAITED_SINCE,
  WAS_THERE,
} from './thread-seen.statements';

const SHOWN = (rows: string, order: string, further = ''): string => `
  SELECT ${CARD_COLUMNS}${further}
    FROM (${rows}) t
    LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   ORDER BY ${order}`;

/** The first threads of the callers' assistants that pass the filter. */
type Reach = (where: string, order: string) => string;

const first = (assistant: string, where: string, order: string): string => `
      SELECT h.* FROM threads h
       WHERE h.account_id = :accountId AND h.assistant_id = ${assistant} AND ${where} ${FILTERED}
       ORDER BY ${order} LIMIT :limit`;

const OF_ASSISTANTS: Reach = (where, order) => `
    SELECT h.* FROM unnest(:assistantIds::uuid[]) a (id) CROSS JOIN LATERAL (${first('a.id', where, order)}) h
     ORDER BY ${order} LIMIT :limit`;

/**
 * Of one assistant, which the planner sees. Without that it takes each for equally large: two stages among 500,000 dialogs
 * were read as a whole, in 0.4 s instead of 1 ms.
 */
const OF_ONE: Reach = (where, order) => first('(:assistantIds::uuid[])[1]', where, order);

/** A list's statement for callers of one assistant, and for all others. */
const byReach = <Statement>(
  list: (reach: Reach, suffix: string) => Statement,
): { one: Statement; many: Statement } => ({
  one: list(OF_ONE, '-one'),
  many: list(OF_ASSISTANTS, ''),
});

/** After the thread that the page follows. */
const BEHIND = opensBefore('h.id');

/**
 * A page, in the order of the ids. Ids never change, so no move takes a thread from one page to another. Each
 * assistant is read along one index, so that reading ends with the page however many threads it has.
 */
export const PAGE = byReach((reach, suffix) =>
  statement(`thread-page${suffix}`)
    .takes(...ASKED, 'before', 'limit')
    .returns<CardRow>(SHOWN(reach(BEHIND, 'h.id DESC'), 't.id DESC')),
);

/** IS TRUE keeps the planner from the index by assistants, along which it would read all of their threads. */
const ALL = `
      SELECT h.* FROM threads h
       WHERE h.account_id = :accountId AND (h.assistant_id = ANY (:assistantIds::uuid[])) IS TRUE ${FILTERED}`;

/** The same for threads of given addresses, by which they are found. */
export const PAGE_OF_CONTACTS = statement('thread-page-contacts')
  .takes(...ASKED, 'before', 'limit')
  .returns<CardRow>(SHOWN(`${ALL} AND ${BEHIND} ORDER BY h.id DESC LIMIT :limit`, 't.id DESC'));

/** A thread of a part of an account's. */
export interface PartRow extends CardRow {
  /** The last thread of the part, as it was when it was read; null: it had all that are left. */
  part_end: ThreadEntity['id'] | null;
}

/**
 * A page of what a search finds among so many of an account's threads, read one after the other until the page is full.
 * IS TRUE and OFFSET keep the planner, which does not know the words, from the index of words and from joining whole tables.
 */
export const PAGE_OF_PART = statement('thread-page-of-part')
  .takes(...ASKED, 'words', 'before', 'count', 'limit')
  .returns<PartRow>(
    `WITH part AS MATERIALIZED (
      SELECT (SELECT h.id FROM threads h WHERE h.account_id = :accountId AND ${BEHIND}
               ORDER BY h.id DESC LIMIT 1 OFFSET :count::int - 1) AS part_end)
     ${SHOWN(
       `SELECT h.* FROM (
        SELECT f.thread_id FROM thread_search f
         WHERE f.account_id = :accountId AND ${opensBefore('f.thread_id')}
           AND f.thread_id >= coalesce((SELECT part_end FROM part), '00000000-0000-0000-0000-000000000000')
           AND (${finds('f', ':words')}) IS TRUE
         ORDER BY f.thread_id DESC OFFSET 0) n
       CROSS JOIN LATERAL (
         SELECT h.* FROM threads h WHERE h.account_id = :accountId AND h.id = n.thread_id OFFSET 0) h
       WHERE h.assistant_id = ANY (:assistantIds::uuid[]) ${FILTERED}
       ORDER BY n.thread_id DESC LIMIT :limit`,
       't.id DESC',
       ', (SELECT part_end FROM part) AS part_end',
     )}`,
  );

/** A page of given threads. */
export const PAGE_AMONG = statement('thread-page-among')
  .takes(...ASKED, 'ids', 'limit')
  .returns<CardRow>(
    SHOWN(
      `SELECT h.* FROM threads h
       WHERE h.account_id = :accountId AND h.id = ANY (:ids::uuid[])
         AND (h.assistant_id = ANY (:assistantIds::uuid[])) IS TRUE ${FILTERED}
       ORDER BY h.id DESC LIMIT :limit`,
      't.id DESC',
    ),
  );

export const MISSING = statement('thread-contacts-missing')
  .takes(...ASKED)
  .returns<Pick<ThreadEntity, 'contact'>>(
    `WITH found AS MATERIALIZED (SELECT h.id, h.contact, h.user_id FROM (${ALL}) h)
     SELECT unnest(:contacts::text[]) AS contact EXCEPT (
       SELECT contact FROM found UNION ALL SELECT user_id FROM found
       UNION ALL SELECT k.address FROM thread_addresses k JOIN found f ON f.id = k.thread_id WHERE k.account_id = :accountId)`,
  );

/** A stage, or null. */
export interface TotalRow extends Pick<ThreadEntity, 'status_id'> {
  total: number;
}

const counted = (threads: string): string =>
  `SELECT h.status_id, count(*)::int AS total FROM (${threads}) h GROUP BY h.status_id`;

/** How many threads pass the filter, by their stages. */
export const TOTALS = statement('thread-totals')
  .takes(...ASKED)
  .returns<TotalRow>(
    counted(`
      SELECT h.* FROM threads h
       WHERE h.account_id = :accountId AND h.assistant_id = ANY (:assistantIds::uuid[]) ${FILTERED}`),
  );

/** The same for threads that are found by their addresses, by words or among given ones. */
export const TOTALS_FOUND = statement('thread-totals-found')
  .takes(...ASKED)
  .returns<TotalRow>(counted(ALL));

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
export const PAGE_BY_ACTIVITY = byReach((reach, suffix) =>
  statement(`thread-page-activity${suffix}`)
    .takes(...ASKED, 'limit')
    .returns<ActivityRow>(
      SHOWN(
        reach('true', BY_ACTIVITY),
        't.last_activity_at DESC, t.id DESC',
        `, ${preciseTime('t.last_activity_at')} AS position_at, pg_current_snapshot()::text AS snapshot,
         ${preciseTime('statement_timestamp()')} AS seen_at`,
      ),
    ),
);

const AFTER = `(${preciseTimeOf(':afterAt')}, :afterId::uuid)`;

/**
 * A further page by the last activity, as it was when the first page was read: no thread is missed or comes twice, although
 * moves take threads to the front. Those that were active since are few; their former place is in the log.
 */
export const PAGE_BY_ACTIVITY_AFTER = byReach((reach, suffix) =>
  statement(`thread-page-activity-after${suffix}`)
    .takes(...ASKED, 'limit', 'snapshot', 'seenAt', 'afterAt', 'afterId')
    .returns<ActivityRow>(
      SHOWN(
        `SELECT * FROM (
         SELECT u.*, u.last_activity_at AS place FROM (${reach(
           `h.last_activity_at <= ${SETTLED} AND (h.last_activity_at, h.id) < ${AFTER}`,
           BY_ACTIVITY,
         )}) u
         UNION ALL
         SELECT h.*, p.place FROM unnest(:assistantIds::uuid[]) a (id) CROSS JOIN LATERAL (
           SELECT h.* FROM threads h
            WHERE h.account_id = :accountId AND h.assistant_id = a.id AND h.last_activity_at > ${SETTLED} ${FILTERED}) h
          CROSS JOIN LATERAL (SELECT ${PLACE_BY_ACTIVITY} AS place) p
          WHERE (p.place, h.id) < ${AFTER}) g
        ORDER BY g.place DESC, g.id DESC LIMIT :limit`,
        't.place DESC, t.id DESC',
        `, ${preciseTime('t.place')} AS position_at, :snapshot::text AS snapshot,
         ${preciseTime(`(${preciseTimeOf(':seenAt')})`)} AS seen_at`,
      ),
    ),
);

/** What a list has seen of the database before its first page. */
export const SEEN = statement('thread-list-seen').returns<Pick<ActivityRow, 'snapshot' | 'seen_at'>>(
  `SELECT pg_current_snapshot()::text AS snapshot, ${preciseTime('statement_timestamp()')} AS seen_at`,
);

export interface WaitingRow extends CardRow {
  /** Since when its customer waited, with its microseconds. */
  position_at: string;
}

const AFTER_WAITING = `(coalesce(${preciseTimeOf(':afterAt')}, '-infinity'), coalesce(:afterId::uuid, '00000000-0000-0000-0000-000000000000'))`;

/**
 * A page of those whose customers waited when the list was begun, the longest waiting first: no thread is missed or comes
 * twice, although some are answered, and others begin to wait. Most have not changed, or are found by their last activity.
 */
export const PAGE_WAITING = byReach((reach, suffix) =>
  statement(`thread-page-waiting${suffix}`)
    .takes(...ASKED, 'limit', 'snapshot', 'seenAt', 'afterAt', 'afterId')
    .returns<WaitingRow>(
      SHOWN(
        `SELECT * FROM (
         SELECT u.*, ${waitingSince('u')} AS place FROM (${reach(
           `${isWaiting('h')} AND (${waitingSince('h')}, h.id) > ${AFTER_WAITING}
            AND CASE WHEN ${HAS_CHANGED} THEN h.last_activity_at <= ${SETTLED} AND ${WAITED_BY_MESSAGES} IS NOT NULL ELSE true END`,
           `${waitingSince('h')}, h.id`,
         )}) u
         UNION ALL
         SELECT h.*, p.place FROM unnest(:assistantIds::uuid[]) a (id) CROSS JOIN LATERAL (
           SELECT h.* FROM threads h
            WHERE h.account_id = :accountId AND h.assistant_id = a.id AND h.last_activity_at > ${SETTLED} AND ${HAS_CHANGED} ${FILTERED}) h
          CROSS JOIN LATERAL (SELECT ${WAITED_BY_MESSAGES} AS place) p
          WHERE (p.place, h.id) > ${AFTER_WAITING}) g
        ORDER BY g.place, g.id LIMIT :limit`,
        't.place, t.id',
        `, ${preciseTime('t.place')} AS position_at`,
      ),
    ),
);

/** A page of all others. */
export const PAGE_NOT_WAITING = byReach((reach, suffix) =>
  statement(`thread-page-not-waiting${suffix}`)
    .takes(...ASKED, 'before', 'limit', 'snapshot', 'seenAt')
    .returns<CardRow>(
      SHOWN(reach(`${BEHIND} AND ${WAS_THERE} AND (${WAITED_SINCE}) IS NULL`, 'h.id DESC'), 't.id DESC'),
    ),
);

/** Whether everything that a filter names is, or was, of the caller's agents. */
export interface NamedRow {
  has_stages: boolean;
  has_scenario: boolean;
  has_user: boolean;
}

/** A person may be disabled. */
export const NAMED = statement('thread-named').takes(
  ...(['accountId', 'assistantIds', 'statusIds', 'scenarioId', 'userId'] as const),
).returns<NamedRow>(`
  SELECT NOT EXISTS (
           SELECT 1 FROM unnest(:statusIds::uuid[]) n (id) WHERE NOT EXISTS (
             SELECT 1 FROM statuses s
              WHERE s.account_id = :accountId AND s.id = n.id AND s.assistant_id = ANY (:assistantIds::uuid[]))) AS has_stages,
         :scenarioId::uuid IS NULL OR EXISTS (
           SELECT 1 FROM scenarios s
            WHERE s.account_id = :accountId AND s.id = :scenarioId AND s.assistant_id = ANY (:assistantIds::uuid[])) AS has_scenario,
         :userId::uuid IS NULL OR EXISTS (
           SELECT 1 FROM users u CROSS JOIN unnest(:assistantIds::uuid[]) a (id)
            WHERE u.account_id = :accountId AND u.id = :userId AND ${SEES_ASSISTANT('u', 'a.id')}) AS has_user`);
