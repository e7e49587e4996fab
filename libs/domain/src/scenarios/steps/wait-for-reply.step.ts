import type { WaitForReplyStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { optional, waitSeconds, wordOrGoTo, type StepFields } from './step-fields';

/** Waits for the customer's reply. It passes at once where the customer has replied already. */
export class WaitForReplyRules implements StepKindRules<WaitForReplyStep> {
  readonly kind = 'wait_for_reply';
  readonly fields: StepFields<WaitForReplyStep> = {
    seconds: waitSeconds,
    on_timeout: optional(wordOrGoTo(['continue', 'stop'])),
  };

  decide(step: WaitForReplyStep, { now, dueSince, replied }: StepMoment): Decision {
    if (replied) return { kind: 'done' };
    const until = new Date(+dueSince + step.seconds * 1_000);
    if (until > now) return { kind: 'wait', until };
    const { on_timeout: then = 'continue' } = step;
    if (then === 'stop') return { kind: 'stop' };
    return then === 'continue'
      ? { kind: 'done', since: until }
      : { kind: 'go', label: then.go, since: until };
  }
}
