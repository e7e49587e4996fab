import type { StageKind } from './stage.kinds';

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

/** What becomes of a customer who still waits when a takeover is over: a person is asked for, the agent answers, or the takeover goes on. */
export const TAKEOVER_ENDS = ['ask', 'answer', 'keep'] as const;

export type TakeoverEnd = (typeof TAKEOVER_ENDS)[number];
