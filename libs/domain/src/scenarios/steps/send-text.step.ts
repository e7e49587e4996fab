import { isBlank } from '@app/contracts/values/free-text';
import type { RequestPhoneStep, SendTextStep } from '@app/contracts/scenario.words';
import { beforeSend } from '../effects/send.rules';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { rendered } from './step-texts';
import { maxLateSeconds, text as textOf, type StepFields } from './step-fields';

/** Meta's limit for a text (Meta: Messages API). Gupshup's is the same. */
const TEXT_LONGEST = 4_096;

const NOTHING_LEFT = { code: 'VARIABLE_EMPTY', message: 'The text is empty here.' };

/** Writes free text. The provider refuses it where the customer has not written for 24 hours. */
export class SendTextRules implements StepKindRules<SendTextStep> {
  readonly kind = 'send_text';
  readonly fields: StepFields<SendTextStep> = {
    text: textOf(TEXT_LONGEST),
    max_late_seconds: maxLateSeconds,
  };

  decide(step: SendTextStep, at: StepMoment): Decision {
    return decideText(step, at);
  }
}

/** What a step with a text decides, whatever the text is sent as. */
export function decideText(step: SendTextStep | RequestPhoneStep, at: StepMoment): Decision {
  const held = beforeSend(step, at);
  if (held) return held;
  const text = rendered(step.text, at);
  if ('failed' in text) return { kind: 'failed', error: text.failed };
  if (isBlank(text.value)) return { kind: 'failed', error: NOTHING_LEFT };
  const type = step.kind === 'request_phone' ? step.kind : 'text';
  return {
    kind: 'errand',
    order: { kind: 'message', channel: at.dialog.channel, content: { type, text: text.value } },
  };
}
