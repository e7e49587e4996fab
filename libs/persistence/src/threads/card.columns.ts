import type { StageEntity } from '../assistants/stage.entity';
import type { ThreadEntity } from './thread.entity';
import { isWaiting, takeoverRuns } from './thread.rules';

/** Where a lead stands and who conducts its thread, as `threads t LEFT JOIN statuses s` gives it. */
export type LeadRow = Pick<
  ThreadEntity,
  'id' | 'assistant_id' | 'channel' | 'phone' | 'ai_enabled' | 'status_id' | 'status_set_at' | 'status_set_by'
> & {
  takeover: boolean;
  status_name: StageEntity['name'] | null;
  status_kind: StageEntity['kind'] | null;
  status_order: StageEntity['order'] | null;
};

/** What a thread shows of itself in lists and on the board, likewise. */
export type CardRow = LeadRow &
  Pick<
    ThreadEntity,
    | 'bot_id'
    | 'customer_name'
    | 'opted_out'
    | 'last_message_role'
    | 'last_message_text'
    | 'last_message_at'
    | 'unread_count'
    | 'attention'
    | 'created_at'
    | 'last_activity_at'
  > & { waiting: boolean; version: number };

/** The columns of {@link LeadRow}. */
export const LEAD_COLUMNS = `
  t.id, t.assistant_id, t.channel, t.phone, t.ai_enabled, ${takeoverRuns('t', 'clock_timestamp()')} AS takeover,
  t.status_id, s.name AS status_name, s.kind AS status_kind, s."order" AS status_order, t.status_set_at,
  t.status_set_by`;

/** The columns of {@link CardRow}; whole numbers of eight bytes are exact as float8 below 2^53. */
export const CARD_COLUMNS = `${LEAD_COLUMNS},
  t.bot_id, t.customer_name, t.opted_out, ${isWaiting('t')} AS waiting, t.last_message_role,
  t.last_message_text, t.last_message_at, t.unread_count, t.attention, t.created_at, t.last_activity_at,
  t.version::float8 AS version`;
