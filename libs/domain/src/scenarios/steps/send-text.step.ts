import type { SendTextStep } from '@app/contracts/scenario.words';
import { beforeSend } from '../send.rules';
import type { Decision, StepKindRules, StepMoment } from '../step.decision';
import { rendered } from '../step.texts';

/** Writes free text. The provider refuses it where the customer has not written for 24 hours. */
export class SendTextRules implements StepKindRules<SendTextStep> {
  readonly kind = 'send_text';

  decide(step: SendTextStep, at: StepMoment): Decision {
    const held = beforeSend(step, at);
    if (held) return held;
    const text = rendered(step.text, at);
    if ('failed' in text) return { kind: 'failed', error: text.failed };
    const { channel } = at.dialog;
    return {
      kind: 'errand',
      order: { kind: 'message', channel, content: { type: 'text', text: text.value } },
    };
  }
}
