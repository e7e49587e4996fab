import type { FunnelStageRow } from '@app/persistence/agent/thread-context.repository';
import type { ModelTool } from './language-model.port';

/** A tool as the model sees it. */
export type ToolDefinition = Pick<ModelTool, 'name' | 'description' | 'parameters'>;

/** The stages of the funnel that the agent may move a lead to. */
export const openTo = (
  { barred_kinds: barred }: { barred_kinds: readonly string[] },
  funnel: readonly FunnelStageRow[],
): FunnelStageRow[] => funnel.filter(({ kind }) => !barred.includes(kind));

/** Moves the lead to one of these stages. */
export const moveToolTo = (open: readonly FunnelStageRow[]): ToolDefinition => ({
  name: 'move_lead',
  description: 'Moves the customer you talk to to another stage of the funnel, once.',
  parameters: {
    type: 'object',
    properties: {
      status_id: { type: 'string', enum: open.map(({ id }) => id), description: 'The stage.' },
    },
    required: ['status_id'],
    additionalProperties: false,
  },
});

export const HAND_OVER_TOOL: ToolDefinition = {
  name: 'hand_over',
  description:
    'Hands the dialog over to a person, after your answer: for what you cannot or may not do yourself.',
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'For the person, in a sentence.' } },
    required: ['reason'],
    additionalProperties: false,
  },
};

// What the model gets as results.
export const MOVED = 'The lead was moved.';
export const MOVED_ALREADY = 'Refused: the lead was moved already.';
export const NO_SUCH_STAGE = 'Refused: there is no such stage that you may move to.';
export const HANDED_OVER =
  'A person takes over when your answer has been sent. Tell the customer so, in a sentence.';
