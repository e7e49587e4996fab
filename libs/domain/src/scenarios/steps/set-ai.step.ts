import type { SetAiStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules } from '../step.decision';

/** Switches the agent off for good. No scenario switches it on: off always wins. */
export class SetAiRules implements StepKindRules<SetAiStep> {
  readonly kind = 'set_ai';

  decide(): Decision {
    return {
      kind: 'act',
      does: 'switches the agent off',
      perform: async (dialog, run) => {
        await dialog.switchOff(run);
        return {};
      },
    };
  }
}
