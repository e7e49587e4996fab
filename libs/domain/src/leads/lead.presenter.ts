import type { Card, Customer } from '@app/contracts/board-events';
import type {
  Attention,
  AttentionReason,
  Assignee,
  MessageHandler,
  StageRef,
  WaitingReason,
} from '@app/contracts/lead.words';
import type { MessageLines } from '@app/contracts/message-content';
import { formatThreadId } from '@app/contracts/uuid.format';
import { isoOrNull } from '@app/contracts/values/iso-time';
import type { PreviewedState, MoveRequest } from '@app/persistence/leads/lead.repository';
import type { MoveOutcome } from '@app/persistence/leads/lead.statements';
import type { CardRow } from '@app/persistence/threads/card-columns';
import type { ReplyAbility } from './reply-ability';

/** The stage of a dialog, or null. */
export function stageOf(
  row: Pick<CardRow, 'status_id' | 'status_name' | 'status_kind' | 'status_order'>,
): StageRef | null {
  const { status_id: id, status_name: name, status_kind: kind, status_order: order } = row;
  return id !== null && name !== null && kind !== null && order !== null ? { id, name, kind, order } : null;
}

/** Who conducts the dialog: a person when the agent is switched off or a takeover runs, else the agent. */
export const handlerOf = (row: Pick<CardRow, 'ai_enabled' | 'takeover'>): MessageHandler =>
  row.ai_enabled && !row.takeover ? 'AI' : 'OPERATOR';

/** The reasons that may be a refusal by the provider, which has a number of its own. */
const OF_REFUSAL: readonly AttentionReason[] = ['scenario', 'not_delivered'];

/**
 * A process of the former version sets the reason alone; then the last activity stands for its time. It also leaves the number
 * of an earlier refusal.
 */
function attentionOf(row: CardRow): Attention | null {
  const { attention: reason, attention_note: note, attention_since: since, last_activity_at } = row;
  const provider_code = reason && OF_REFUSAL.includes(reason) ? row.attention_provider_code : null;
  return reason && { reason, note, provider_code, since: (since ?? last_activity_at).toISOString() };
}

/** A process of the former version leaves the time of an earlier clearing when it sets a stage. */
const clearedAt = ({ status_id: id, status_cleared_at: at }: CardRow): string | null =>
  id === null ? isoOrNull(at) : null;

const assigneeOf = ({ assignee_id: id, assignee_name: name }: CardRow): Assignee | null =>
  id !== null && name !== null ? { id, name } : null;

export const customerOf = (
  row: Pick<CardRow, 'phone' | 'wa_id' | 'user_id' | 'username' | 'phone_proven'>,
): Customer => ({
  phone: row.phone,
  wa_id: row.wa_id,
  user_id: row.user_id,
  username: row.username,
  phone_proven: row.phone_proven,
});

/** A process of the former version sets the text alone, and leaves the lines of an earlier message. */
const linesOf = ({ last_message_text: text, last_message_lines: lines }: CardRow): { lines?: MessageLines } =>
  lines !== null && lines.en === text ? { lines } : {};

/** What a model would do. A takeover that runs has its own reason to wait. */
const OF_MODEL: readonly WaitingReason[] = ['takeover', 'model_failed', 'hourly_limit', 'agent_due'];

/** Whether there is a model, only processes know. */
const waitingReasonOf = (
  { waiting_reason: reason, takeover }: CardRow,
  { hasModel }: ReplyAbility,
): WaitingReason | null =>
  reason !== null && OF_MODEL.includes(reason) && !hasModel && !takeover ? 'no_model' : reason;

export function presentCard(row: CardRow, ability: ReplyAbility): Card {
  const { last_message_role: role, last_message_text: text, last_message_at: at } = row;
  return {
    thread_id: formatThreadId(row.id),
    assistant_id: row.assistant_id,
    bot_id: row.bot_id,
    channel: row.channel.toUpperCase(),
    phone: row.phone,
    customer: customerOf(row),
    same_customer: (row.same_customer ?? []).map(formatThreadId),
    conducted_elsewhere: row.conducted_elsewhere,
    customer_name: row.customer_name,
    message_handler: handlerOf(row),
    ai_enabled: row.ai_enabled,
    opted_out: row.opted_out,
    takeover_until: row.takeover ? isoOrNull(row.takeover_until) : null,
    waiting: row.waiting,
    waiting_since: row.waiting ? isoOrNull(row.since) : null,
    waiting_reason: waitingReasonOf(row, ability),
    window_until: isoOrNull(row.window_until),
    lead_status: stageOf(row),
    status_set_at: isoOrNull(row.status_set_at),
    status_set_by: row.status_set_by,
    status_cleared_at: clearedAt(row),
    last_message:
      role !== null && text !== null && at
        ? { role, text, ...linesOf(row), created_at: at.toISOString() }
        : null,
    unread_count: row.unread_count,
    attention: attentionOf(row),
    assignee: assigneeOf(row),
    erased_at: isoOrNull(row.erased_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.last_activity_at.toISOString(),
    version: row.version,
  };
}

/** Where dialogs would be after the items of a dry run so far. The next item is previewed from there. */
export class DryRunPreview {
  private readonly threads = new Map<string, PreviewedState>();

  /** Null for a dialog that no earlier item would have changed. */
  of(threadId: string): PreviewedState | null {
    return this.threads.get(threadId) ?? null;
  }

  remember({ threadId, statusId }: MoveRequest, outcome: MoveOutcome): void {
    const moved = outcome.verdict === 'move';
    if (!moved && !outcome.took) return;
    const before = this.of(threadId);
    const silences = moved && (outcome.stage_ai_enabled === false || outcome.hands_to === 'OPERATOR');
    const epochRise = (before?.epochRise ?? 0) + (silences ? 1 : 0);
    const tookAtRise = outcome.took ? epochRise : (before?.tookAtRise ?? null);
    const handsTo = (moved ? outcome.hands_to : null) ?? before?.handsTo ?? null;
    this.threads.set(threadId, { statusId, epochRise, tookAtRise, handsTo });
  }
}
