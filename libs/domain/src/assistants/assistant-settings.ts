import type { AssistantSettings } from '@app/persistence/assistants/assistant.repository';

/** The defaults of a new agent. */
export const ASSISTANT_DEFAULTS: Readonly<AssistantSettings> = {
  instructions: '',
  model: null,
  model_options: null,
  reply_delay_ms: null,
  reply_parts_max: 3,
  reply_characters_max: 2_000,
  replies_per_hour: 60,
  // Only a person, or your own system, knows that money has come. Whoever wants the agent to decide says so.
  barred_kinds: ['awaiting_payment', 'success'],
  handover_text: null,
  auto_return_minutes: 30,
  vision: false,
};

/** Longest texts of an agent, in characters. */
export const INSTRUCTIONS_LONGEST = 20_000;
export const MODEL_LONGEST = 200;
/** The length of one WhatsApp message. */
export const HANDOVER_TEXT_LONGEST = 4_096;

/** Least and most of an agent's numbers. The columns have the same bounds. */
export const ASSISTANT_BOUNDS = {
  reply_delay_ms: [0, 600_000],
  reply_parts_max: [1, 10],
  reply_characters_max: [1, 20_000],
  replies_per_hour: [1, 1_000],
  auto_return_minutes: [1, 10_080],
} as const;
