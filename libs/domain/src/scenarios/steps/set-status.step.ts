import type { SetStatusStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from '../step.decision';

/** Moves the lead, or clears its stage. */
export class SetStatusRules implements StepKindRules<SetStatusStep> {
  readonly kind = 'set_status';

  decide({ status_id: statusId }: SetStatusStep, { inStage }: StepMoment): Decision {
    return {
      kind: 'act',
      does: statusId === null ? 'clears the stage' : 'moves the lead',
      perform: async (dialog, run) => {
        const verdict = await dialog.move(run, statusId);
        if (verdict !== 'no_stage') return { detaches: verdict === 'move' && inStage };
        const message = 'The stage is not in the funnel of the dialog’s agent any more.';
        return { failed: { code: 'STATUS_NOT_FOUND', message } };
      },
    };
  }
}
