import type { WaitUntilStep } from '@app/contracts/scenario.words';
import { nextLocalTime } from '../local.time';
import type { Decision, StepKindRules, StepMoment } from '../step.decision';

/**
 * Waits for a time of day. It is computed anew whenever it is asked, from the instant at which the step began to wait:
 * so a change of a zone's rules counts.
 */
export class WaitUntilRules implements StepKindRules<WaitUntilStep> {
  readonly kind = 'wait_until';

  decide(step: WaitUntilStep, { now, dueSince }: StepMoment): Decision {
    const { time, timezone, weekdays = [], at_least_seconds: atLeastSeconds = 0 } = step;
    const until = nextLocalTime({ time, timezone, weekdays, atLeastSeconds }, dueSince);
    return until > now ? { kind: 'wait', until } : { kind: 'done', since: until };
  }
}
