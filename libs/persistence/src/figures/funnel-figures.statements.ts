import type { Prefixed } from '../database/row.types';
import { statement } from '../database/sql.statement';
import type { StageEntity } from '../assistants/stage.entity';
import type { FigureMessageEntity } from './figure-message.entity';
import type { FigureStayEntity } from './figure-stay.entity';

/**
 * The statements of a span: `bounds` are its days' beginnings in order, the first one is the span's own, and `until` is its
 * end. A day is the number of the last bound that is not after the instant, from 1.
 */
const SPAN = ['accountId', 'assistantId', 'bounds', 'until'] as const;

const within = (at: string): string =>
  `account_id = :accountId AND assistant_id = :assistantId
     AND ${at} >= (:bounds::timestamptz[])[1] AND ${at} < :until::timestamptz`;
const dayOf = (at: string): string => `width_bucket(${at}, :bounds::timestamptz[])`;
const seconds = (from: string, to: string): string => `extract(epoch FROM ${to} - ${from})::float8`;
const share = (fraction: string, value: string): string =>
  `percentile_cont(${fraction}) WITHIN GROUP (ORDER BY ${value})`;

/** Stages of the funnel, archived ones too. */
export type StageOfFigures = Pick<StageEntity, 'id' | 'name' | 'kind' | 'order'> & {
  archived: boolean;
};

export const STAGES = statement('figures-stages').takes('accountId', 'assistantId').returns<StageOfFigures>(`
  SELECT id, name, kind, "order", archived_at IS NOT NULL AS archived FROM statuses
   WHERE account_id = :accountId AND assistant_id = :assistantId ORDER BY archived_at IS NOT NULL, "order", id`);

type OfStage = Pick<FigureStayEntity, 'status_id'>;

export const STANDING = statement('figures-standing').takes('accountId', 'assistantId').returns<
  OfStage & { now: number }
>(`
  SELECT status_id, count(*)::int AS now FROM threads
   WHERE account_id = :accountId AND assistant_id = :assistantId GROUP BY status_id`);

/** Entries of a day, how many of them are their lead's first into the stage in the span, and how many of these led to success. */
export type EntriesOfDay = OfStage & Record<'day' | 'entered' | 'leads' | 'converted', number>;

export const ENTERED = statement('figures-entered').takes(...SPAN).returns<EntriesOfDay>(`
  SELECT status_id, ${dayOf('entered_at')} AS day, count(*)::int AS entered,
         count(*) FILTER (WHERE is_first)::int AS leads, count(*) FILTER (WHERE is_first AND converted)::int AS converted
    FROM (SELECT status_id, entered_at, converted,
                 coalesce(earlier_at < (:bounds::timestamptz[])[1], true) AS is_first
            FROM figure_stays WHERE ${within('entered_at')} AND counted) s
   GROUP BY 1, 2`);

export type LeavesOfDay = OfStage & Record<'day' | 'left', number>;

export const LEFT = statement('figures-left').takes(...SPAN).returns<LeavesOfDay>(`
  SELECT status_id, ${dayOf('left_at')} AS day, count(*)::int AS left
    FROM figure_stays WHERE ${within('left_at')} GROUP BY 1, 2`);

/** In seconds, of the stays that ended in the span. */
export type StayTimes = OfStage & Record<'median' | 'p90', number>;

export const STAY_TIMES = statement('figures-stay-times').takes('accountId', 'assistantId', 'from', 'until')
  .returns<StayTimes>(`
  SELECT status_id, times[1] AS median, times[2] AS p90
    FROM (SELECT status_id, ${share(`'{0.5,0.9}'::float8[]`, seconds('entered_at', 'left_at'))} AS times
            FROM figure_stays
           WHERE account_id = :accountId AND assistant_id = :assistantId
             AND left_at >= :from::timestamptz AND left_at < :until::timestamptz
           GROUP BY status_id) s`);

/** Messages and first answers of a day by one role; the whole span where the day is null, every role where the role is. */
export interface MessagesOfDay extends Prefixed<'by_', Record<'role', FigureMessageEntity['role'] | null>> {
  day: number | null;
  messages: number;
  answers: number;
  /** In seconds; null: there is no first answer. */
  median: number | null;
}

export const MESSAGES = statement('figures-messages').takes(...SPAN).returns<MessagesOfDay>(`
  SELECT role AS by_role, day, count(*)::int AS messages, count(waited)::int AS answers, ${share('0.5', 'waited')} AS median
    FROM (SELECT role, ${dayOf('at')} AS day, ${seconds('began_at', 'at')} AS waited
            FROM figure_messages WHERE ${within('at')} AND counts) m
   GROUP BY GROUPING SETS ((role, day), (day), (role), ())`);
