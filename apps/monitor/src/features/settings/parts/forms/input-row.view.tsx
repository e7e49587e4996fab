import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconTrash } from '../../../../shared/ui/icons.view';
import classes from './input-row.module.css';

interface Props {
  children: ReactNode;
  removeLabel: string;
  onRemove: () => void;
}

/** Fields that belong together, and the way to take them away. */
export function InputRow({ children, removeLabel, onRemove }: Props) {
  return (
    <div className={classes.row}>
      <div className={classes.fields}>{children}</div>
      <ActionIcon
        className={classes.remove}
        variant="subtle"
        color="red"
        aria-label={removeLabel}
        onClick={onRemove}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
