import type { StepError } from '@app/contracts/scenario.words';
import type { StepMoment } from './step.decision';

type Rendered<T> = { value: T } | { failed: StepError };

export const rendered = (text: string, _at: StepMoment): Rendered<string> => ({ value: text });
export const renderedDeep = <T>(value: T, _at: StepMoment): Rendered<T> => ({ value });
