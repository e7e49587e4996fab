import { Group, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { CustomerText } from '../../../../shared/ui/customer-text.view';
import { FOCUS_REST, passFocus } from '../../../../shared/ui/focus.hook';

/** The name of the entry that is open. The focus comes to it where it stands in the list's place, or would be lost. */
export function DetailHead({ name, children }: { name: string; children?: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (matchMedia('(max-width: 1023px)').matches) title.current?.focus();
    else passFocus(() => title.current);
  }, []);
  return (
    <Group gap="xs" mb="sm">
      <Title order={2} ref={title} {...FOCUS_REST}>
        <CustomerText text={name} />
      </Title>
      {children}
    </Group>
  );
}
