import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What is wrong with a list as a whole. */
export function FieldError({ error }: { error: ReactNode }) {
  return error === undefined || error === null ? null : (
    <Text size="sm" role="alert" c="var(--mantine-color-error)">
      {error}
    </Text>
  );
}
