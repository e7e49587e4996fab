import { statement, type SqlStatement } from '../database/sql.statements';
import type { FigureRangeKind, RangeCount, FigureRangeEntity } from './figure.entity';
import {
  answered,
  classOf,
  lasted,
  percentile,
  seconds,
  ANSWER_CLASSES,
  STAY_CLASSES,
  type TimeClasses,
} from './time-classes';
import type { AgentRow } from './position.statements';

/** What is counted of one of the given ranges, which are numbered from 1. */
export interface CountedRange<Kind extends FigureRangeKind> {
  n: number;
  result: RangeCount[Kind];
}

const PARAMETERS = ['accountId', 'subjectId', 'froms', 'untils'] as const;

type CountStatement<Kind extends FigureRangeKind> = SqlStatement<
  CountedRange<Kind>,
  (typeof PARAMETERS)[number]
>;

/** @param counted a list of JSON of the range `g` */
const ofRanges = <Kind extends FigureRangeKind>(
  kind: Kind,
  counted: string,
  more: Record<string, string> = {},
): CountStatement<Kind> =>
  statement(`figures-count-${kind}`).takes(...PARAMETERS).returns<CountedRange<Kind>>(`
  SELECT g.n::int AS n, (${counted}) AS result
    FROM ROWS FROM (unnest(:froms::timestamptz[]), unnest(:untils::timestamptz[])) WITH ORDINALITY g (from_at, until_at, n)
    ${Object.entries(more)
      .map(([name, value]) => `CROSS JOIN (SELECT ${value} AS ${name}) of_${name}`)
      .join(' ')}`);

const within = (at: string): string =>
  `account_id = :accountId AND assistant_id = :subjectId AND ${at} >= g.from_at AND ${at} < g.until_at`;

/** How many times are in each class, by group. */
const times = (group: string, time: string, from: string): string => `
  SELECT coalesce(json_agg(json_build_array(t.of, t.classes, t.counts)), '[]')
    FROM (SELECT c.of, array_agg(c.class) AS classes, array_agg(c.times) AS counts
            FROM (SELECT ${group} AS of, ${classOf(time)} AS class, count(*)::int AS times FROM ${from} GROUP BY 1, 2) c
           GROUP BY c.of) t`;

const beginsOf = ({ begins }: TimeClasses): string =>
  `(SELECT array_agg(interval '1 microsecond' * us ORDER BY us) FROM unnest('{${begins.join(',')}}'::float8[]) us)`;

/** Counts ranges from the stays and the messages themselves. */
export const COUNT_RANGES: { [Kind in FigureRangeKind]: CountStatement<Kind> } = {
  moves: ofRanges(
    'moves',
    `SELECT coalesce(json_agg(json_build_array(m.status_id, m.entered, m.first, m.converted, m.left)), '[]')
       FROM (SELECT status_id, sum(entered)::int AS entered, sum(first)::int AS first, sum(converted)::int AS converted,
                    sum("left")::int AS "left"
               FROM (SELECT status_id, 1 AS entered, (earlier_at IS NULL)::int AS first,
                            (earlier_at IS NULL AND converted)::int AS converted, 0 AS "left"
                       FROM figure_stays WHERE ${within('entered_at')} AND counted
                     UNION ALL
                     SELECT status_id, 0, 0, 0, 1 FROM figure_stays WHERE ${within('left_at')}) s
              GROUP BY status_id) m`,
  ),
  messages: ofRanges(
    'messages',
    `SELECT json_agg(json_build_array(m.role, m.messages, m.answers, m.median))
       FROM (SELECT role, count(*)::int AS messages, count(waited)::int AS answers, ${percentile('0.5', 'waited')} AS median
               FROM (SELECT role, ${seconds('began_at', 'at')} AS waited
                       FROM figure_messages WHERE ${within('at')} AND counts) w
              GROUP BY GROUPING SETS ((role), ())) m`,
  ),
  stay_times: ofRanges('stay_times', times('status_id', lasted, `figure_stays WHERE ${within('left_at')}`), {
    begins: beginsOf(STAY_CLASSES),
  }),
  answer_times: ofRanges(
    'answer_times',
    times('role', answered, `figure_messages WHERE ${within('at')} AND counts AND began_at IS NOT NULL`),
    { begins: beginsOf(ANSWER_CLASSES) },
  ),
  templates: ofRanges(
    'templates',
    `SELECT coalesce(json_agg(json_build_array(m.channel, m.template, m.language, m.status, m.error_code, m.provider_code,
                                               m.messages, m.replied)), '[]')
       FROM (SELECT channel, template, language, status, error_code, provider_code, count(*)::int AS messages,
                    count(*) FILTER (WHERE replied)::int AS replied
               FROM figure_messages
              WHERE account_id = :accountId AND bot_id = :subjectId AND at >= g.from_at AND at < g.until_at
                AND template IS NOT NULL
              GROUP BY 1, 2, 3, 4, 5, 6) m`,
  ),
};

const ALL = 'ROWS FROM (unnest(:froms::timestamptz[]), unnest(:untils::timestamptz[]))';
const RANGES = ['accountId', 'subjectId', 'kind', 'froms', 'untils'] as const;

/** Ranges of which what was counted is kept, by their numbers from 1. */
export const KEPT = statement('figures-kept').takes(...RANGES).returns<CountedRange<FigureRangeKind>>(`
  SELECT g.n::int AS n, k.counted AS result FROM ${ALL} WITH ORDINALITY g (from_at, until_at, n)
   CROSS JOIN LATERAL (
     SELECT counted FROM figure_ranges
      WHERE account_id = :accountId AND subject_id = :subjectId AND kind = :kind AND from_at = g.from_at
        AND until_at = g.until_at AND counted IS NOT NULL OFFSET 0) k`);

/** Has the worker count ranges, to be kept from then on. */
export const ASK = statement('figures-ask').takes(...RANGES, 'assistantId').returns(`
  INSERT INTO figure_ranges (account_id, subject_id, kind, from_at, until_at, assistant_id)
  SELECT :accountId, :subjectId, :kind, g.from_at, g.until_at, :assistantId FROM ${ALL} g (from_at, until_at)
  ON CONFLICT DO NOTHING`);

/** Longer than any range that is kept. */
const LONGEST = `interval '400 hours'`;

/**
 * Forgets what is kept of the given hours: something that was counted there has changed. None is being counted meanwhile,
 * because both hold the agent's position.
 */
export const FORGET = statement('figures-forget').takes('accountId', 'subjects', 'kinds', 'hours').returns(`
  WITH hit AS MATERIALIZED (
    SELECT DISTINCT k.* FROM unnest(:subjects::uuid[], :kinds::text[], :hours::timestamptz[]) g (subject_id, kind, hour)
     CROSS JOIN LATERAL (
       SELECT subject_id, kind, from_at, until_at FROM figure_ranges
        WHERE account_id = :accountId AND subject_id = g.subject_id AND kind = g.kind
          AND from_at < g.hour + interval '1 hour' AND from_at > g.hour - ${LONGEST} AND until_at > g.hour
          AND counted IS NOT NULL OFFSET 0) k)
  UPDATE figure_ranges r SET counted = NULL FROM hit h
   WHERE r.account_id = :accountId AND r.subject_id = h.subject_id AND r.kind = h.kind AND r.from_at = h.from_at
     AND r.until_at = h.until_at`);

/** Agents with ranges that are to be counted, of all accounts. */
export const DUE = statement('figures-ranges-due').takes('limit').returns<AgentRow>(`
  SELECT account_id AS "accountId", assistant_id AS id FROM figure_ranges WHERE counted IS NULL
   GROUP BY 1, 2 ORDER BY 1, 2 LIMIT :limit`);

/** Nothing of the account is counted meanwhile: a bot may have gone from one agent to another. */
export const LOCK_ACCOUNT = statement('figures-lock-account').takes('accountId').returns(`
  SELECT FROM figure_positions WHERE account_id = :accountId ORDER BY assistant_id FOR UPDATE`);

/** The newest ranges of an agent that are to be counted. */
export const NEXT_DUE = statement('figures-next-due').takes('accountId', 'assistantId', 'limit').returns<
  Pick<FigureRangeEntity, 'subject_id' | 'kind' | 'from_at' | 'until_at'>
>(`
  SELECT subject_id, kind, from_at, until_at FROM figure_ranges
   WHERE account_id = :accountId AND assistant_id = :assistantId AND counted IS NULL
   ORDER BY from_at DESC, until_at DESC, kind LIMIT :limit`);

export const KEEP = statement('figures-keep').takes(
  'accountId',
  'subjectId',
  'kind',
  'from',
  'until',
  'counted',
).returns(`
  UPDATE figure_ranges SET counted = :counted::json
   WHERE account_id = :accountId AND subject_id = :subjectId AND kind = :kind AND from_at = :from::timestamptz
     AND until_at = :until::timestamptz`);
