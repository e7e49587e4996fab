import type { StageEntity } from '../assistants/assistant.entity';
import type { WaitingReason } from '@app/contracts/lead.words';
import type { AsNumbers, AsText, OrNull, Prefixed } from '../database/row-types';
import type { ThreadEntity } from './thread.entity';
import {
  isWaiting,
  shownName,
  takeoverEnd,
  takeoverRuns,
  waitingReason,
  waitingSince,
  windowEnds,
} from './thread.rules';

/** The stage of a lead and who conducts its thread, from `threads t LEFT JOIN statuses s`. */
export type LeadRow = Pick<
  ThreadEntity,
  'id' | 'assistant_id' | 'channel' | 'phone' | 'ai_enabled' | 'status_id' | 'status_set_at' | 'status_set_by'
> &
  OrNull<Prefixed<'status_', Pick<StageEntity, 'name' | 'kind' | 'order'>>> & { takeover: boolean };

/** What lists and boards show of a thread, from the same join. */
export type CardRow = LeadRow &
  Pick<
    ThreadEntity,
    | 'bot_id'
    | 'status_cleared_at'
    | 'customer_name'
    | 'opted_out'
    | 'last_message_role'
    | 'last_message_text'
    | 'last_message_lines'
    | 'last_message_at'
    | 'unread_count'
    | 'attention'
    | 'attention_note'
    | 'attention_provider_code'
    | 'attention_since'
    | 'assignee_id'
    | 'created_at'
    | 'last_activity_at'
    | 'takeover_until'
    | 'erased_at'
    | 'user_id'
    | 'wa_id'
    | 'username'
    | 'phone_proven'
    | 'same_customer'
    | 'conducted_elsewhere'
  > &
  AsNumbers<Pick<ThreadEntity, 'version'>> & {
    waiting: boolean;
    /** Null where none waits. A process without a model knows better: {@link waitingReason}. */
    waiting_reason: WaitingReason | null;
    /** Since when a message waits; of a thread in which none waits, of no meaning. */
    since: Date | null;
    /** When the 24 hours end in which the provider takes free texts. */
    window_until: Date | null;
    /** The name of the person to whom the thread is assigned; null: nobody. */
    assignee_name: string | null;
  };

/** The name of the person to whom a thread is assigned. No table is read for a thread of nobody. */
const assigneeName = (row: string): string => `CASE WHEN ${row}.assignee_id IS NOT NULL THEN (
    SELECT p.name FROM users p WHERE p.account_id = ${row}.account_id AND p.id = ${row}.assignee_id) END`;

/** The columns of {@link LeadRow}. */
export const LEAD_COLUMNS = `
  t.id, t.assistant_id, t.channel, t.phone, t.ai_enabled, ${takeoverRuns('t', 'clock_timestamp()')} AS takeover,
  t.status_id, s.name AS status_name, s.kind AS status_kind, s."order" AS status_order, t.status_set_at,
  t.status_set_by`;

/** The columns of {@link CardRow}. Whole numbers of eight bytes are exact as float8 below 2^53. */
export const CARD_COLUMNS = `${LEAD_COLUMNS},
  t.bot_id, t.status_cleared_at, ${shownName('t')} AS customer_name, t.opted_out, ${isWaiting('t')} AS waiting,
  ${waitingReason('t', 'clock_timestamp()', 's')} AS waiting_reason, t.last_message_role,
  t.last_message_text, t.last_message_lines, t.last_message_at, t.unread_count, t.attention, t.attention_note, t.attention_provider_code, t.attention_since,
  t.created_at, t.last_activity_at, ${takeoverEnd('t')} AS takeover_until, t.erased_at, t.user_id, t.wa_id, t.username, t.phone_proven, t.same_customer, t.conducted_elsewhere,
  ${waitingSince('t')} AS since,
  ${windowEnds('t')} AS window_until, t.assignee_id, ${assigneeName('t')} AS assignee_name, t.version::float8 AS version`;

type Times =
  | 'status_set_at'
  | 'status_cleared_at'
  | 'last_message_at'
  | 'attention_since'
  | 'takeover_until'
  | 'erased_at'
  | 'since'
  | 'window_until'
  | 'created_at'
  | 'last_activity_at';
type Stage = 'status_name' | 'status_kind' | 'status_order';

/** A card as JSON, without its stage. Times are text. */
export type CardJson = Omit<CardRow, Times | Stage> & AsText<Pick<CardRow, Times>>;

/**
 * {@link CardJson} of a row of `threads`, for statements that have just changed it.
 * @param at the instant that decides whether a takeover runs
 * @param reason why its message waits
 */
export const cardJson = (row: string, at: string, reason: string): string => `json_build_object(
  'id', ${row}.id, 'assistant_id', ${row}.assistant_id, 'bot_id', ${row}.bot_id, 'channel', ${row}.channel,
  'phone', ${row}.phone, 'customer_name', ${shownName(row)}, 'ai_enabled', ${row}.ai_enabled,
  'takeover', ${takeoverRuns(row, at)}, 'opted_out', ${row}.opted_out, 'waiting', ${isWaiting(row)}, 'waiting_reason', ${reason},
  'status_id', ${row}.status_id, 'status_set_at', ${row}.status_set_at, 'status_set_by', ${row}.status_set_by,
  'status_cleared_at', ${row}.status_cleared_at,
  'last_message_role', ${row}.last_message_role, 'last_message_text', ${row}.last_message_text,
  'last_message_lines', ${row}.last_message_lines,
  'last_message_at', ${row}.last_message_at, 'unread_count', ${row}.unread_count, 'attention', ${row}.attention,
  'attention_note', ${row}.attention_note, 'attention_provider_code', ${row}.attention_provider_code, 'attention_since', ${row}.attention_since,
  'created_at', ${row}.created_at, 'last_activity_at', ${row}.last_activity_at,
  'takeover_until', ${takeoverEnd(row)}, 'erased_at', ${row}.erased_at,
  'user_id', ${row}.user_id, 'wa_id', ${row}.wa_id, 'username', ${row}.username, 'phone_proven', ${row}.phone_proven,
  'same_customer', ${row}.same_customer, 'conducted_elsewhere', ${row}.conducted_elsewhere, 'since', ${waitingSince(row)}, 'window_until', ${windowEnds(row)},
  'assignee_id', ${row}.assignee_id, 'assignee_name', ${assigneeName(row)}, 'version', ${row}.version)`;

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The row of a card from its JSON and its stage. */
export const cardOf = (json: CardJson, stage: Pick<CardRow, Stage>): CardRow => ({
  ...json,
  ...stage,
  status_set_at: dateOrNull(json.status_set_at),
  status_cleared_at: dateOrNull(json.status_cleared_at),
  last_message_at: dateOrNull(json.last_message_at),
  attention_since: dateOrNull(json.attention_since),
  takeover_until: dateOrNull(json.takeover_until),
  erased_at: dateOrNull(json.erased_at),
  since: dateOrNull(json.since),
  window_until: dateOrNull(json.window_until),
  created_at: new Date(json.created_at),
  last_activity_at: new Date(json.last_activity_at),
});
