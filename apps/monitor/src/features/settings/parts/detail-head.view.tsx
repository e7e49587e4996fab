import { Group, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { CustomerText } from '../../../shared/ui/customer-text.view';

/** The name of the entry that is open. Where it stands in the list's place, the focus comes to it. */
export function DetailHead({ name, children }: { name: string; children?: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (matchMedia('(max-width: 1023px)').matches) title.current?.focus();
  }, []);
  return (
    <Group gap="xs" mb="sm">
      <Title order={2} ref={title} tabIndex={-1}>
        <CustomerText text={name} />
      </Title>
      {children}
    </Group>
  );
}
