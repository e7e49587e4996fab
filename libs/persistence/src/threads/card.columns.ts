import type { AttentionReason } from '@app/contracts/attention.words';
import type { StageKind } from '@app/contracts/stage.kinds';
import type { StatusSetBy } from '@app/contracts/lead.words';
import { isWaiting, takeoverRuns } from './thread.rules';

/** Where a lead stands and who conducts its dialog, as `threads t LEFT JOIN statuses s` gives it. */
export interface LeadRow {
  id: string;
  assistant_id: string;
  channel: string;
  phone: string | null;
  ai_enabled: boolean;
  takeover: boolean;
  status_id: string | null;
  status_name: string | null;
  status_kind: StageKind | null;
  status_order: number | null;
  status_set_at: Date | null;
  status_set_by: StatusSetBy | null;
}

/** What a dialog shows of itself in lists and on the board, likewise. */
export interface CardRow extends LeadRow {
  bot_id: string;
  customer_name: string | null;
  opted_out: boolean;
  waiting: boolean;
  last_message_role: string | null;
  last_message_text: string | null;
  last_message_at: Date | null;
  unread_count: number;
  /** Why an operator is asked for; null: none is. */
  attention: AttentionReason | null;
  created_at: Date;
  last_activity_at: Date;
  version: number;
}

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
