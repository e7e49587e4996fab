import type { NotifyStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { rendered } from './step-texts';
import { NOTE_LONGEST, text as textOf, type StepFields } from './step-fields';

/** Asks for a person. Who conducts the dialog stays the same. */
export class NotifyRules implements StepKindRules<NotifyStep> {
  readonly kind = 'notify';
  readonly fields: StepFields<NotifyStep> = { text: textOf(NOTE_LONGEST) };

  decide({ text }: NotifyStep, at: StepMoment): Decision {
    const words = rendered(text, at);
    if ('failed' in words) return { kind: 'failed', error: words.failed };
    return { kind: 'done', asksFor: words.value };
  }
}
