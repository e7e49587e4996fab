import { statement } from '../database/sql.statements';
import type { AgentRow } from './position.statements';
import type { FigureRangeEntity } from './figure-range.entity';
import type { CountedRange } from './range-count.statements';
import type { FigureRangeKind } from './range-counts';

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
