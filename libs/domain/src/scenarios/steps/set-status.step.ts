import type { SetStatusStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { violation, type StepFields } from './step-fields';

const A_STAGE = 'must be a stage of the scenario’s funnel, or null for none';

/** Moves the lead, or clears its stage. */
export class SetStatusRules implements StepKindRules<SetStatusStep> {
  readonly kind = 'set_status';
  readonly fields: StepFields<SetStatusStep> = {
    status_id: (value, path, { stageIds, otherStages }) => {
      if (value === undefined) return violation(path, `is required, and ${A_STAGE}`);
      const id = typeof value === 'string' ? value.toLowerCase() : value;
      if (id === null || (typeof id === 'string' && stageIds.has(id))) return [];
      const other = typeof id === 'string' && otherStages.get(id);
      return violation(path, other ? `is ${other}: it ${A_STAGE}` : A_STAGE);
    },
  };

  decide({ status_id: statusId }: SetStatusStep, { inStage }: StepMoment): Decision {
    return {
      kind: 'act',
      does: statusId === null ? 'clears the stage' : 'moves the lead',
      perform: async (dialog, run) => {
        const verdict = await dialog.move(run, statusId);
        if (verdict !== 'no_stage') return { detaches: verdict === 'move' && inStage };
        const message = `The stage ${statusId} is not in the funnel of the dialog’s agent any more.`;
        return { failed: { code: 'STATUS_NOT_FOUND', message } };
      },
    };
  }
}
