import type { ConditionFact, ConditionStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from '../step.decision';

const FACTS: Readonly<Record<ConditionFact, (at: StepMoment) => boolean | string | null>> = {
  in_stage: ({ inStage }) => inStage,
  replied: ({ replied }) => replied,
  window_open: ({ dialog }) => dialog.windowOpen,
  waiting: ({ dialog }) => dialog.waiting,
  handler: ({ dialog }) => dialog.handler,
  channel: ({ dialog }) => dialog.channel,
  kind: ({ dialog }) => dialog.statusKind,
  last_send: ({ lastSend }) => lastSend,
};

/** Passes where all facts are as they are expected; else the run ends, or continues further down. */
export class ConditionRules implements StepKindRules<ConditionStep> {
  readonly kind = 'condition';

  decide({ all, else: otherwise }: ConditionStep, at: StepMoment): Decision {
    const since = at.dueSince;
    if (all.every(({ fact, is }) => FACTS[fact](at) === is)) return { kind: 'done', since };
    return otherwise === 'stop' ? { kind: 'stop' } : { kind: 'go', label: otherwise.go, since };
  }
}
