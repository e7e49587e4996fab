import type { UseFormReturnType } from '@mantine/form';
import type { ScenarioValues } from '../scenario-values.format';
import type { StepDraft } from './step-draft.format';
import type { StepNames } from './step-sentence.format';

/** What the fields of a step get. */
export interface StepFieldsProps {
  form: UseFormReturnType<ScenarioValues>;
  /** The path of the step in the form. */
  at: `steps.${number}`;
  index: number;
  step: StepDraft;
  names: StepNames;
}
