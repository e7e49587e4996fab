import type { HandOverStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules } from '../step.decision';

/** Hands the dialog over to a person, who is asked for. */
export class HandOverRules implements StepKindRules<HandOverStep> {
  readonly kind = 'hand_over';

  decide({ note }: HandOverStep): Decision {
    return {
      kind: 'act',
      does: 'hands the dialog over to a person',
      perform: async (dialog, run) => {
        await dialog.handOver(run);
        return { handsOver: true, asksFor: note ?? null };
      },
    };
  }
}
