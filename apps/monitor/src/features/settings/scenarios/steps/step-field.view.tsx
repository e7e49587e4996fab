import { Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ScenarioValues } from '../scenario-values.format';
import type { StepDraft } from './step-draft.format';
import { stepEditorWords } from './step-editor.words';
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

const VARIABLES =
  '{{lead.name|…}}, {{lead.phone|…}}, {{status.name|…}}, {{assistant.name}}, {{date}}, {{time}}';

/** Which variables a text may have. */
export function Variables() {
  const t = stepEditorWords.use();
  return (
    <Text size="xs" c="dimmed">
      {t('variables', { list: VARIABLES })}
    </Text>
  );
}
