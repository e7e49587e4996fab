import type { AssignStep } from '@app/contracts/scenario.words';
import type { AssignVerdict } from '@app/persistence/leads/lead-edit.repository';
import type { Decision, StepKindRules } from './step-decision';
import { violation, type StepFields } from './step-fields';

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
