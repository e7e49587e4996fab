import {
  type WaitStep,
  SCENARIO_LIMITS,
  type WaitUntilStep,
  type WaitForReplyStep,
} from '@app/contracts/scenario.words';
import { areWeekdays, isTimeOfDay, isTimezone, nextLocalTime } from '../runs/local-time';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { waitSeconds, type StepFields, must, optional, wholeNumber, wordOrGoTo } from './step-fields';

/** Waits for a time. */
export class WaitRules implements StepKindRules<WaitStep> {
  readonly kind = 'wait';
  readonly fields: StepFields<WaitStep> = { seconds: waitSeconds };

  decide({ seconds }: WaitStep, { now, dueSince }: StepMoment): Decision {
    const until = new Date(+dueSince + seconds * 1_000);
    return until > now ? { kind: 'wait', until } : { kind: 'done', since: until };
  }
}

/**
 * Waits for a time of day. It is computed anew whenever it is asked, from the instant at which the step began to wait:
 * so a change of a zone's rules counts.
 */
export class WaitUntilRules implements StepKindRules<WaitUntilStep> {
  readonly kind = 'wait_until';
  readonly fields: StepFields<WaitUntilStep> = {
    time: must(isTimeOfDay, 'must be a time of day of two digits each, from 00:00 to 23:59'),
    timezone: must(
      (value) => typeof value === 'string' && isTimezone(value),
      'must be an IANA time zone such as Asia/Almaty',
    ),
    weekdays: optional(must(areWeekdays, 'must be different numbers from 1, Monday, to 7, Sunday')),
    at_least_seconds: optional(wholeNumber(0, SCENARIO_LIMITS.waitSecondsMax)),
  };

  decide(step: WaitUntilStep, { now, dueSince }: StepMoment): Decision {
    const { time, timezone, weekdays = [], at_least_seconds: atLeastSeconds = 0 } = step;
    const until = nextLocalTime({ time, timezone, weekdays, atLeastSeconds }, dueSince);
    return until > now ? { kind: 'wait', until } : { kind: 'done', since: until };
  }
}

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
