import type { SetAiStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules } from './step-decision';
import { must, type StepFields } from './step-fields';

/** Switches the agent off for good. No scenario switches it on: off always wins. */
export class SetAiRules implements StepKindRules<SetAiStep> {
  readonly kind = 'set_ai';
  readonly fields: StepFields<SetAiStep> = {
    ai_enabled: must(
      (value) => value === false,
      'must be false: no scenario switches an agent on, for off always wins',
    ),
  };

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
