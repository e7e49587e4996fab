import { Button } from '@mantine/core';
import { IconPlus } from '../../../../shared/ui/icons.view';

/** Beside the title of a list: opens the form of a new entry. */
export function NewButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="xs" flex="none" leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}
