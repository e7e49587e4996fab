import { ActionIcon } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '../../../../shared/ui/icons.view';
import { settingsWords } from '../../settings.words';
import { useSortable } from './sortable.hook';
import classes from './sortable-row.module.css';

interface Props {
  list: string;
  index: number;
  count: number;
  /** By which people know the row. */
  name: string;
  children: ReactNode;
  /** False: to read only. */
  canMove: boolean;
  onMove: (from: number, to: number) => void;
  /** Is open, or has something wrong in it. */
  mark?: 'open' | 'wrong';
}

/** A row of a list whose order people change: by dragging, or by its buttons. */
export function SortableRow({ list, index, count, name, children, canMove, onMove, mark }: Props) {
  const t = settingsWords.use();
  const { rowRef, handleRef, edge, isDragged } = useSortable(list, index, canMove, onMove);
  const pressed = useRef<HTMLButtonElement | null>(null);
  // A browser takes the focus from what it moves in the document.
  useEffect(() => {
    pressed.current?.focus();
    pressed.current = null;
  }, [index]);
  const button = (to: number, label: string, Icon: typeof IconArrowUp) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      aria-disabled={to < 0 || to >= count}
      data-disabled={to < 0 || to >= count || undefined}
      onClick={(event) => {
        if (to < 0 || to >= count) return;
        pressed.current = event.currentTarget;
        onMove(index, to);
      }}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <li ref={rowRef} className={classes.row} data-edge={edge} data-dragged={isDragged} data-mark={mark}>
      {canMove && (
        <span ref={handleRef} className={classes.handle} title={t('drag')}>
          <IconGripVertical size={16} aria-hidden />
        </span>
      )}
      <div className={classes.content}>{children}</div>
      {canMove && (
        <div className={classes.buttons}>
          {button(index - 1, t('moveUp', { name }), IconArrowUp)}
          {button(index + 1, t('moveDown', { name }), IconArrowDown)}
        </div>
      )}
    </li>
  );
}
