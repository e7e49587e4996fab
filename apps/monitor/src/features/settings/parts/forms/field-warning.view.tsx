import { Text } from '@mantine/core';

/** What a choice will lead to that is hardly meant. It may be saved all the same. */
export function FieldWarning({ text }: { text: string | null }) {
  return (
    <div role="status">
      {text !== null && (
        <Text size="xs" c="var(--ll-waiting)" mt={4}>
          {text}
        </Text>
      )}
    </div>
  );
}
