import type { ReturnToAiStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules } from './step-decision';
import type { StepFields } from './step-fields';

/** Ends a takeover. Off stays off. */
export class ReturnToAiRules implements StepKindRules<ReturnToAiStep> {
  readonly kind = 'return_to_ai';
  readonly fields: StepFields<ReturnToAiStep> = {};

  decide(): Decision {
    return {
      kind: 'act',
      does: 'returns the dialog to the agent',
      perform: async (dialog, run) => {
        await dialog.returnToAgent(run);
        return {};
      },
    };
  }
}
