import type { StoredStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from '../step.decision';
import { renderedDeep } from '../step.texts';

type StoredHttpStep = Extract<StoredStep, { kind: 'http' }>;

/** Calls an address outside, at least once. */
export class HttpRules implements StepKindRules<StoredHttpStep> {
  readonly kind = 'http';

  decide(step: StoredHttpStep, at: StepMoment): Decision {
    const body = renderedDeep(step.body, at);
    if ('failed' in body) return { kind: 'failed', error: body.failed };
    return { kind: 'errand', order: { kind: 'call', step, body: body.value } };
  }
}
