import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useEffect, useRef, useState, type RefObject } from 'react';

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
export function useSortable(
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
