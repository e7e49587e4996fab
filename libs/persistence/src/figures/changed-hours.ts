import type { FigureMessageEntity } from './figure-message.entity';
import type { FigureRangeEntity } from './figure-range.entity';
import type { FigureRangeKind } from './range-counts';

/** An hour in which something that is counted has changed, for the ranges of a kind. */
export interface ChangedHour {
  kind: FigureRangeEntity['kind'];
  /** The bot; null: the agent. */
  bot_id: FigureMessageEntity['bot_id'] | null;
  hour: Date;
}

/** The columns of a {@link ChangedHour}. @param at when what has changed was; @param bot null: the agent's ranges */
export const changedHour = (kinds: readonly FigureRangeKind[], at: string, bot = 'NULL::uuid'): string =>
  `unnest('{${kinds.join(',')}}'::text[]) AS kind, ${bot} AS bot_id, date_bin('1 hour', ${at}, 'epoch') AS hour`;
