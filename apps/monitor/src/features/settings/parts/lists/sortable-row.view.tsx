import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { ActionIcon } from '@mantine/core';
import { useEffect, useRef, type ReactNode, useState, type RefObject } from 'react';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '../../../../shared/ui/icons.view';
import { settingsWords } from '../../settings.words';
import classes from './sortable-row.module.css';

/** The list with one entry elsewhere. @param to its index afterwards */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...items.slice(from, from + 1), ...rest.slice(to)];
}

interface Ordered {
  id: string;
  order: number;
}

const ORDER_MAX = 10_000;

/**
 * New positions for a list that stands in another order now: as few as do, because each change makes every open board
 * read everything again.
 * @param index of the entry that was moved
 * @returns the entries whose position changes
 */
export function positionsFor(sequence: readonly Ordered[], index: number): Ordered[] {
  const entry = sequence[index];
  if (!entry) return [];
  const before = sequence[index - 1]?.order ?? -1;
  const after = sequence[index + 1]?.order ?? Math.min(before + 2, ORDER_MAX + 1);
  if (after - before > 1) return [{ id: entry.id, order: before + 1 }];
  // No room between the neighbours: the same positions are dealt out anew.
  const values = sequence.map(({ order }) => order).sort((a, b) => a - b);
  const areDistinct = new Set(values).size === values.length;
  const dealt = sequence.map(({ id }, place) => ({
    id,
    order: (areDistinct ? values[place] : undefined) ?? place + 1,
  }));
  return dealt.filter(({ order }, place) => order !== sequence[place]?.order);
}

interface Sortable {
  rowRef: RefObject<HTMLLIElement | null>;
  handleRef: RefObject<HTMLSpanElement | null>;
  /** The edge of this row at which what is dragged would come to stand. */
  edge: 'above' | 'below' | null;
  isDragged: boolean;
}

/**
 * A row that a mouse drags to another place of its list. Keyboards and fingers have buttons for it.
 * @param list rows of different lists do not mix
 * @param onMove from which index to which
 */
function useSortable(
  list: string,
  index: number,
  isOn: boolean,
  onMove: (from: number, to: number) => void,
): Sortable {
  const rowRef = useRef<HTMLLIElement>(null);
  const handleRef = useRef<HTMLSpanElement>(null);
  const [edge, setEdge] = useState<Sortable['edge']>(null);
  const [isDragged, setDragged] = useState(false);
  const move = useRef(onMove);
  move.current = onMove;

  useEffect(() => {
    const [row, handle] = [rowRef.current, handleRef.current];
    if (!row || !handle || !isOn) return undefined;
    let isMouse = true;
    const onPointerDown = ({ pointerType }: PointerEvent): void => void (isMouse = pointerType === 'mouse');
    handle.addEventListener('pointerdown', onPointerDown);
    const edgeAt = (y: number): 'above' | 'below' => {
      const { top, height } = row.getBoundingClientRect();
      return y < top + height / 2 ? 'above' : 'below';
    };
    const stop = combine(
      draggable({
        element: row,
        dragHandle: handle,
        canDrag: () => isMouse,
        getInitialData: () => ({ list, index }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element: row,
        canDrop: ({ source }) => source.data.list === list,
        onDrag: ({ location, source }) =>
          setEdge(source.data.index === index ? null : edgeAt(location.current.input.clientY)),
        onDragLeave: () => setEdge(null),
        onDrop: ({ location, source }) => {
          setEdge(null);
          const from = Number(source.data.index);
          const before = edgeAt(location.current.input.clientY) === 'above' ? index : index + 1;
          const to = before > from ? before - 1 : before;
          if (to !== from) move.current(from, to);
        },
      }),
    );
    return () => {
      stop();
      handle.removeEventListener('pointerdown', onPointerDown);
    };
  }, [list, index, isOn]);

  return { rowRef, handleRef, edge, isDragged };
}

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
