import type { SetAiStep, ReturnToAiStep, HandOverStep } from '@app/contracts/scenario.words';
import { type Decision, type StepKindRules, type StepMoment, rendered } from './step-decision';
import { must, type StepFields, NOTE_LONGEST, optional, text } from './step-fields';

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
