import type { Prefixed } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { StageEntity } from '../assistants/assistant.entity';
import type { TemplateEntity } from '../templates/template.entity';
import type { FigureMessageEntity, FigureStayEntity } from './figure.entity';
import { answered, DAY, GONE_MAX, goneFor, lasted, seconds, stageOf } from './time-classes';

/** Stages of the funnel, archived ones too. */
export type StageOfFigures = Pick<StageEntity, 'id' | 'name' | 'kind' | 'order'> & {
  archived: boolean;
};

export const STAGES = statement('figures-stages').takes('accountId', 'assistantId').returns<StageOfFigures>(`
  SELECT id, name, kind, "order", archived_at IS NOT NULL AS archived FROM statuses
   WHERE account_id = :accountId AND assistant_id = :assistantId ORDER BY archived_at IS NOT NULL, "order", id`);

type OfStage = Pick<FigureStayEntity, 'status_id'>;

const standing = (where: string): string => `
  SELECT count(*)::int AS now FROM threads
   WHERE account_id = :accountId AND assistant_id = :assistantId AND ${where}`;

/** Each stage is a range of the board's index, which is a tenth of the table. */
export const STANDING = statement('figures-standing').takes('accountId', 'assistantId').returns<
  OfStage & { now: number }
>(`
  SELECT s.id AS status_id, c.now
    FROM statuses s CROSS JOIN LATERAL (${standing('status_id = s.id')} OFFSET 0) c
   WHERE s.account_id = :accountId AND s.assistant_id = :assistantId
  UNION ALL
  SELECT NULL, c.now FROM (${standing('status_id IS NULL')}) c`);

/** Leads that entered a stage in a span for the first time in it, but not for the first time ever. */
export type ReturnedLeads = OfStage & Record<'leads' | 'successes', number>;

/**
 * Each of them was in the stage before the span and came back in it. Of the leads that were gone for less than some days only
 * those are read that came back within as many days after the beginning of the span.
 */
export const RETURNED = statement('figures-returned').takes('accountId', 'assistantId', 'from', 'until')
  .returns<ReturnedLeads>(`
  SELECT r.status_id, count(*)::int AS leads, count(*) FILTER (WHERE r.converted)::int AS successes
    FROM generate_series(0, ${GONE_MAX}) n
    CROSS JOIN LATERAL (
      SELECT status_id, converted FROM figure_stays
       WHERE account_id = :accountId AND assistant_id = :assistantId AND counted AND earlier_at IS NOT NULL
         AND ${goneFor} = n AND entered_at >= :from::timestamptz
         AND entered_at < least(:until::timestamptz, CASE WHEN n < ${GONE_MAX} THEN :from::timestamptz + ${DAY} * 2 ^ n END)
         AND earlier_at < :from::timestamptz OFFSET 0) r
   GROUP BY 1`);

const PLACES = ['accountId', 'assistantId', 'from', 'until', 'groups', 'lows', 'highs', 'skips'] as const;

/** Two times of each place, one after the other, in the order of their lengths. */
export interface TimeAtPlace {
  /** The number of the place, from 1. */
  n: number;
  /** In seconds. */
  length: number;
}

/** @param time its index has the order of it; what is part of the span is decided row by row, so that no other index fits */
const timesAt = (table: string, at: string, from: string, time: string, group: string): string => `
  SELECT g.n::int AS n, t.length
    FROM ROWS FROM (unnest(:groups::text[]), unnest(:lows::float8[]), unnest(:highs::float8[]), unnest(:skips::int[]))
         WITH ORDINALITY g (of, low, high, skip, n)
    CROSS JOIN LATERAL (
      SELECT ${seconds(from, at)} AS length FROM ${table}
       WHERE account_id = :accountId AND assistant_id = :assistantId AND ${group}
         AND ${time} >= interval '1 microsecond' * g.low AND ${time} < interval '1 microsecond' * g.high
         AND (${at} >= :from::timestamptz AND ${at} < :until::timestamptz) IS TRUE
       ORDER BY ${time} LIMIT 2 OFFSET g.skip) t
   ORDER BY g.n, t.length`;

/** A group is a stage by its id, or of no stage null. */
export const STAY_TIMES_AT = statement('figures-stay-times-at')
  .takes(...PLACES)
  .returns<TimeAtPlace>(
    timesAt(
      'figure_stays',
      'left_at',
      'entered_at',
      lasted,
      `${stageOf('status_id')} = ${stageOf('g.of::uuid')} AND left_at IS NOT NULL`,
    ),
  );

/** A group is a role, or of all roles null. */
export const ANSWER_TIMES_AT = statement('figures-answer-times-at')
  .takes(...PLACES)
  .returns<TimeAtPlace>(
    timesAt(
      'figure_messages',
      'at',
      'began_at',
      answered,
      `coalesce(role = g.of, true) AND counts AND began_at IS NOT NULL`,
    ),
  );

/** Of first answers; null: of all roles. */
export interface AnswerMedian extends Prefixed<'by_', Record<'role', FigureMessageEntity['role'] | null>> {
  median: number;
}

/** In seconds, of the stays that ended in the span. */
export type StayTimes = OfStage & Record<'median' | 'p90', number>;

/** Messages of one template that have come to the same. */
export interface TemplateCount
  extends
    Pick<
      FigureMessageEntity,
      'channel' | 'template' | 'language' | 'status' | 'error_code' | 'provider_code'
    >,
    Pick<TemplateEntity, 'name'> {
  /** As callers name it; null: the provider's name is not registered. */
  template_id: TemplateEntity['template_id'] | null;
  category: TemplateEntity['category'] | null;
  messages: number;
  /** To how many of these the customer replied. */
  replied: number;
}

/**
 * Templates by what their messages were sent with, by numbers from 1. Numbers without the phone's app name a template by the
 * provider's id, others by its name.
 */
export const NAMES = statement('figures-template-names').takes(
  'accountId',
  'botId',
  'channels',
  'names',
  'languages',
).returns<{ n: number } & Pick<TemplateEntity, 'template_id' | 'name' | 'category'>>(`
  SELECT g.n::int AS n, t.* FROM ROWS FROM (unnest(:channels::text[]), unnest(:names::text[]), unnest(:languages::text[]))
         WITH ORDINALITY g (channel, template, language, n)
    CROSS JOIN LATERAL (
      SELECT template_id, name, category FROM templates
       WHERE account_id = :accountId AND bot_id = :botId AND channel = g.channel AND language = g.language
         AND (name = g.template OR provider_id = g.template)
       ORDER BY name = g.template LIMIT 1) t`);
