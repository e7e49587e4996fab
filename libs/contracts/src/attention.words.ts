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
