import { CHANNELS_THAT_REQUEST_PHONES, PHONE_REQUEST_LENGTH_MAX } from '@app/contracts/message.words';
import type { RequestPhoneStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { maxLateSeconds, text, type StepFields } from './step-fields';
import { decideText } from './send-text.step';

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
