import type { StoredStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from '../step.decision';
import { renderedDeep } from '../step.texts';

type StoredHttpStep = Extract<StoredStep, { kind: 'http' }>;

/** Calls an address outside, at least once. */
export class HttpRules implements StepKindRules<StoredHttpStep> {
  readonly kind = 'http';

  decide(step: StoredHttpStep, at: StepMoment): Decision {
    const values = renderedDeep({ url: step.url, body: step.body }, at);
    if ('failed' in values) return { kind: 'failed', error: values.failed };
    const { url, body } = values.value;
    return { kind: 'errand', order: { kind: 'call', step, url, body } };
  }
}
