import { Text } from '@mantine/core';
import { stepEditorWords } from './step-editor.words';

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
