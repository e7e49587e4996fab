import type { HandOverStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { NOTE_LONGEST, optional, text, type StepFields } from './step-fields';
import { rendered } from './step-texts';

/** Hands the dialog over to a person, who is asked for. */
export class HandOverRules implements StepKindRules<HandOverStep> {
  readonly kind = 'hand_over';
  readonly fields: StepFields<HandOverStep> = { note: optional(text(NOTE_LONGEST)) };

  decide({ note }: HandOverStep, at: StepMoment): Decision {
    const words = note === undefined ? { value: null } : rendered(note, at);
    if ('failed' in words) return { kind: 'failed', error: words.failed };
    return {
      kind: 'act',
      does: 'hands the dialog over to a person',
      perform: async (dialog, run) => {
        await dialog.handOver(run);
        return { handsOver: true, asksFor: words.value };
      },
    };
  }
}
