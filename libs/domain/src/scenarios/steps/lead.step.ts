import type { AssignStep, SetStatusStep, NotifyStep } from '@app/contracts/scenario.words';
import type { AssignVerdict } from '@app/persistence/leads/lead-edit.repository';
import { type Decision, type StepKindRules, type StepMoment, rendered } from './step-decision';
import { violation, type StepFields, NOTE_LONGEST, text as textOf } from './step-fields';

const A_PERSON = 'must be a person of the account, or null for nobody';

/** Why a person gets no dialog, when the step is due. */
const REFUSALS: Record<Exclude<AssignVerdict, 'may'>, string> = {
  unknown: 'does not exist any more.',
  disabled: 'is disabled.',
  cannot_see: 'does not see the dialog’s agent.',
};

/** Assigns the dialog to a person, or to nobody. */
export class AssignRules implements StepKindRules<AssignStep> {
  readonly kind = 'assign';
  readonly fields: StepFields<AssignStep> = {
    user_id: (value, path, { userIds }) => {
      if (value === undefined) return violation(path, `is required, and ${A_PERSON}`);
      const isKnown = value === null || (typeof value === 'string' && userIds.has(value.toLowerCase()));
      return isKnown ? [] : violation(path, A_PERSON);
    },
  };

  decide({ user_id: userId }: AssignStep): Decision {
    return {
      kind: 'act',
      does: userId === null ? 'assigns the dialog to nobody' : 'assigns the dialog',
      perform: async (dialog, run) => {
        const verdict = await dialog.assign(run, userId);
        if (verdict === 'may') return {};
        const code = verdict === 'unknown' ? 'USER_NOT_FOUND' : 'USER_UNAVAILABLE';
        return { failed: { code, message: `The person ${userId} ${REFUSALS[verdict]}` } };
      },
    };
  }
}

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

/** Asks for a person. Who conducts the dialog stays the same. */
export class NotifyRules implements StepKindRules<NotifyStep> {
  readonly kind = 'notify';
  readonly fields: StepFields<NotifyStep> = { text: textOf(NOTE_LONGEST) };

  decide({ text }: NotifyStep, at: StepMoment): Decision {
    const words = rendered(text, at);
    if ('failed' in words) return { kind: 'failed', error: words.failed };
    return { kind: 'done', asksFor: words.value };
  }
}
