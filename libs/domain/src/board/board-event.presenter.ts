import type { BoardEvent } from '@app/contracts/board-events';
import {
  STATUS_SETTERS,
  type MessageHandler,
  type StageRef,
  type StatusSetBy,
} from '@app/contracts/lead.words';
import { STAGE_KINDS } from '@app/contracts/stage.words';
import { RUNS_HELD } from '@app/persistence/events/event.statements';
import type { FeedEvent } from '@app/persistence/board/feed.repository';
import { handlerOf, presentCard } from '../leads/lead.presenter';
import type { ReplyAbility } from '../leads/reply-ability';
import { presentMessage } from '../messages/dialog/message.presenter';

/**
 * An event of the log in the form that boards get; null for kinds that no board shows. Also null without its card or
 * its message. The card is missing only for a board that was just opened and whose snapshot contains the event. The
 * card is the dialog as it is now, except that the fields changed by this event have the event's values, so that its
 * version is the event's. The message is as it is now, which may be later than the event: the later event then
 * repeats the same state.
 */
export function presentBoardEvent(row: FeedEvent, ability: ReplyAbility): BoardEvent | null {
  if (!row.card) return null;
  const card = presentCard(row.card, ability);
  const base = {
    seq: row.seq,
    thread_id: card.thread_id,
    version: row.event_version,
    at: row.at.toISOString(),
    request_id: row.request_id,
    actor: row.actor,
  };
  switch (row.type) {
    case 'status': {
      const status = stageEntered(row);
      const setBy = status ? setterWord(row.by) : null;
      const setAt = status ? base.at : null;
      return {
        event: 'card.moved',
        ...base,
        from_status_id: textOrNull(row.from_value),
        to_status_id: textOrNull(row.to_value),
        status,
        status_set_by: setBy,
        status_set_at: setAt,
        card: {
          ...card,
          lead_status: status,
          status_set_by: setBy,
          status_set_at: setAt,
          status_cleared_at: row.to_value === null ? base.at : null,
          version: base.version,
        },
      };
    }
    case 'ai':
    case 'handler': {
      const aiEnabled = row.type === 'ai' ? row.to_value === true : card.ai_enabled;
      const handler =
        row.type === 'ai' ? handlerOf({ ai_enabled: aiEnabled, takeover: false }) : handlerWord(row.to_value);
      return {
        event: 'ai.switched',
        ...base,
        ai_enabled: aiEnabled,
        message_handler: handler,
        card: { ...card, ai_enabled: aiEnabled, message_handler: handler, version: base.version },
      };
    }
    case 'opened':
      return { event: 'card.created', ...base, card: { ...card, version: base.version } };
    case 'card':
    case 'attention':
    case 'model_error':
    case 'reply_discarded':
    case 'scenario':
    case 'name':
    case 'assignee':
    case 'erased':
      return { event: 'card.updated', ...base, card: { ...card, version: base.version } };
    case 'opt_out': {
      const optedOut = row.to_value === true;
      return {
        event: 'card.updated',
        ...base,
        card: { ...card, opted_out: optedOut, version: base.version },
      };
    }
    case 'message':
    case 'message_state':
    case 'message_transcribed':
    case 'message_edited':
    case 'message_deleted': {
      if (!row.message) return null;
      return {
        event: row.type === 'message' ? 'message.created' : 'message.updated',
        ...base,
        message: presentMessage(row.message),
        card: { ...card, version: base.version },
      };
    }
    default:
      return null;
  }
}

/** Whether leads entered or left a column. */
export const movesTotals = ({ type }: FeedEvent): boolean => type === 'status' || type === 'opened';

/**
 * Whether the board's columns have changed since, or whether its agent can answer: each waiting card says why it waits. No
 * event of a dialog shows that.
 */
export const isOfFunnel = ({ type }: FeedEvent): boolean => type === 'funnel';

/** Whether runs are held, or go on, since. No event of a dialog shows that. */
export const holdsRuns = ({ type }: FeedEvent): boolean => type === RUNS_HELD;

const setterWord = (word: string): StatusSetBy | null =>
  STATUS_SETTERS.find((known) => known === word) ?? null;

const handlerWord = (value: string | boolean | null): MessageHandler => (value === 'AI' ? 'AI' : 'OPERATOR');

const textOrNull = (value: string | boolean | null): string | null =>
  typeof value === 'string' ? value : null;

function stageEntered(row: FeedEvent): StageRef | null {
  const { to_value: id, to_name: name, to_kind, to_order: order } = row;
  const kind = STAGE_KINDS.find((known) => known === to_kind);
  return typeof id === 'string' && name !== null && kind && order !== null ? { id, name, kind, order } : null;
}
