import type { StageKind } from './stage-kinds';

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
