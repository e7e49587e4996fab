import { CHANNELS_THAT_REQUEST_PHONES, PHONE_REQUEST_LENGTH_MAX } from '@app/contracts/message.words';
import type { RequestPhoneStep, SendTextStep } from '@app/contracts/scenario.words';
import { isBlank } from '@app/contracts/values/free-text';
import { beforeSend } from '../effects/send.rules';
import { type Decision, type StepKindRules, type StepMoment, rendered } from './step-decision';
import { maxLateSeconds, text as textOf, type StepFields, text } from './step-fields';

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
function decideText(step: SendTextStep | RequestPhoneStep, at: StepMoment): Decision {
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

const CANNOT_ASK = {
  code: 'CHANNEL_CANNOT_ASK',
  message: 'The provider of this channel cannot be asked to request a phone.',
};

/** Sends the messenger's own request for the customer's phone. The 24 hours count as for a text. */
export class RequestPhoneRules implements StepKindRules<RequestPhoneStep> {
  readonly kind = 'request_phone';
  readonly fields: StepFields<RequestPhoneStep> = {
    text: text(PHONE_REQUEST_LENGTH_MAX),
    max_late_seconds: maxLateSeconds,
  };

  decide(step: RequestPhoneStep, at: StepMoment): Decision {
    return CHANNELS_THAT_REQUEST_PHONES.includes(at.dialog.channel)
      ? decideText(step, at)
      : { kind: 'failed', error: CANNOT_ASK };
  }
}
