import type { WaitStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { waitSeconds, type StepFields } from './step-fields';

/** Waits for a time. */
export class WaitRules implements StepKindRules<WaitStep> {
  readonly kind = 'wait';
  readonly fields: StepFields<WaitStep> = { seconds: waitSeconds };

  decide({ seconds }: WaitStep, { now, dueSince }: StepMoment): Decision {
    const until = new Date(+dueSince + seconds * 1_000);
    return until > now ? { kind: 'wait', until } : { kind: 'done', since: until };
  }
}
