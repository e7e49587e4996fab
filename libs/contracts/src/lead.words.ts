import type { StageKind } from './stage.words';

/** Who conducts the dialog. */
export const MESSAGE_HANDLERS = ['AI', 'OPERATOR'] as const;

export type MessageHandler = (typeof MESSAGE_HANDLERS)[number];

/** Who set a lead's stage. */
export const STATUS_SETTERS = ['AI', 'OPERATOR_MANUAL', 'SCENARIO', 'SYSTEM'] as const;

export type StatusSetBy = (typeof STATUS_SETTERS)[number];

/** The caller behind a change, as history entries and board events show it; null when the service itself acted. */
export interface Actor {
  type: 'user' | 'key' | 'agent' | 'scenario';
  id: string;
  name: string;
  /** The run of the scenario. */
  run_id?: string;
}

/** A stage as it is embedded in a lead, a card and a history entry. */
export interface StageRef {
  id: string;
  name: string;
  kind: StageKind;
  order: number;
}

/** A stage with everything that a funnel shows of it. */
export interface FunnelStage extends StageRef {
  description: string | null;
  ai_enabled: boolean;
  ai_transition_locked: boolean;
}

/** The person to whom a dialog is assigned. */
export interface Assignee {
  id: string;
  name: string;
}

/**
 * Why a customer's message has no answer yet:
 * - `number_down`: the bot's number cannot send;
 * - `agent_off`: the agent is switched off, or the customer has opted out;
 * - `stage_mutes`: the agent is silent at the lead's stage;
 * - `takeover`: a person has it, or the agent does not come back to it by itself;
 * - `held`: the automation of the account is paused, or sending is held after a restore;
 * - `window_closed`: it waited a day, so that only templates may be sent;
 * - `no_model`: no model is configured;
 * - `model_failed`: the model has failed for good;
 * - `hourly_limit`: the dialog used up its replies for this hour;
 * - `agent_due`: the agent is about to answer, or tries.
 *
 * Of several the first one holds: what somebody decided or has to mend comes before what passes by itself.
 */
export const WAITING_REASONS = [
  'number_down',
  'agent_off',
  'stage_mutes',
  'takeover',
  'held',
  'window_closed',
  'no_model',
  'model_failed',
  'hourly_limit',
  'agent_due',
] as const;

export type WaitingReason = (typeof WAITING_REASONS)[number];

/** What becomes of a customer who still waits when a takeover is over: a person is asked for, the agent answers, or the takeover goes on. */
export const TAKEOVER_ENDS = ['ask', 'answer', 'keep'] as const;

export type TakeoverEnd = (typeof TAKEOVER_ENDS)[number];

/** Kinds of entries in a dialog's history. */
export const HISTORY_TYPES = [
  'status',
  'ai',
  'handler',
  'opt_out',
  'reply_discarded',
  'attention',
  'model_error',
  'scenario',
  'name',
  'assignee',
  'erased',
  'message_edited',
  'message_deleted',
] as const;

export type HistoryType = (typeof HISTORY_TYPES)[number];

/**
 * Who caused an entry: an actor who may set a stage, the customer (`USER`), a person in the messenger's own app
 * (`OPERATOR`), or the messenger (`PROVIDER`).
 */
export const HISTORY_AUTHORS = [...STATUS_SETTERS, 'USER', 'OPERATOR', 'PROVIDER'] as const;

/**
 * Orders of lists of dialogs:
 * - opened: the last opened first;
 * - activity: the last active first;
 * - waiting: whose customer waits longest first; behind them those in which none waits, the last opened first.
 */
export const THREAD_SORTS = ['opened', 'activity', 'waiting'] as const;

export type ThreadSort = (typeof THREAD_SORTS)[number];

/**
 * Why an operator is asked for:
 * - the agent handed the dialog over;
 * - the model failed for good;
 * - the messenger refused a part of a reply, or could not be reached;
 * - the messenger accepted a part of a reply, and did not deliver it;
 * - it is unknown whether a part arrived;
 * - the bot's number is not connected;
 * - the dialog used up its replies for this hour;
 * - the message waited a day for its reply, so that only templates may be sent;
 * - a takeover is over, or another AI on the number may have the dialog no more, and the customer's last message has no answer;
 * - a customer called, and nobody took the call;
 * - a scenario asks for a person.
 */
export const ATTENTION_REASONS = [
  'hand_over',
  'model',
  'messenger',
  'not_delivered',
  'unknown',
  'channel',
  'limit',
  'too_old',
  'nobody_answered',
  'missed_call',
  'scenario',
] as const;

export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** Reasons whose notes are the messenger's own words, in its language. The message that it refused shows them. */
const OF_MESSENGER: ReadonlySet<unknown> = new Set<AttentionReason>(['messenger', 'not_delivered']);

export const isOfMessenger = (reason: unknown): boolean => OF_MESSENGER.has(reason);

/** How a scenario's note begins where a message failed after the provider accepted it. Else it begins with the step's name. */
export const SCENARIO_UNDELIVERED = 'A message of the scenario was not delivered';

/** An operator is asked for in a dialog. */
export interface Attention {
  reason: AttentionReason;
  /** What the reason does not say, for people to read; null: nothing. */
  note: string | null;
  /** The provider's own number, where the note is about its refusal of a message; else null. */
  provider_code: number | null;
  /** When this reason arose. */
  since: string;
}
