import type { StageKind } from './stage.kinds';

/** Who conducts the dialog. */
export type MessageHandler = 'AI' | 'OPERATOR';

/** Who set a lead's stage. */
export type StatusSetBy = 'AI' | 'OPERATOR_MANUAL' | 'SCENARIO' | 'SYSTEM';

/** The caller behind a change, as history entries and board events show it; null when the service itself acted. */
export interface Actor {
  type: 'api_key';
  id: string;
  name: string;
}

/** A stage as it is embedded in a lead, a card and a history entry. */
export interface StageRef {
  id: string;
  name: string;
  kind: StageKind;
  order: number;
}
