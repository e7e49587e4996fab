import type { StatusId } from '@app/client/board/board-views';
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview';
import type { BoardStore } from '@app/client/board/board.store';
import { useEffect, type RefObject } from 'react';
import { moveLead } from '../../../shared/leads/lead-moves';
import { useLive } from '../../../shared/live/live-context';
import { cardHand, tellHappened } from './card-hand.store';
import classes from './card.module.css';
import { customerName } from '../../../shared/leads/lead-names.format';

/** With what the person pointed last. A finger does not drag: it scrolls, and has the menu. */
let pointer = 'mouse';
addEventListener('pointerdown', ({ pointerType }) => (pointer = pointerType), { capture: true });

/** What a drag carries: all that is needed at its end, though the card be gone by then. */
interface DraggedLead extends Record<string, unknown> {
  threadId: string;
  from: string | null;
}

/** Lets a card be dragged by a mouse. Where it is dropped is the board's business. */
export function useCardDrag(threadId: string, element: RefObject<HTMLElement | null>): void {
  const { store } = useLive();
  useEffect(() => {
    if (!element.current) return;
    return draggable({
      element: element.current,
      canDrag: () => pointer !== 'touch' && store.card(threadId) !== undefined,
      getInitialData: (): DraggedLead => ({
        threadId,
        from: store.card(threadId)?.card.lead_status?.id ?? null,
      }),
      onGenerateDragPreview: ({ nativeSetDragImage }) =>
        setCustomNativeDragPreview({
          nativeSetDragImage,
          getOffset: () => ({ x: 16, y: 16 }),
          render: ({ container }) => container.append(previewOf(store, threadId)),
        }),
    });
  }, [store, threadId, element]);
}

function previewOf(store: BoardStore, threadId: string): HTMLElement {
  const card = store.card(threadId)?.card;
  const preview = document.createElement('div');
  preview.className = classes.preview ?? '';
  preview.dir = 'auto';
  preview.textContent = card ? customerName(card) : '';
  return preview;
}

const REASON = 'drag';

/**
 * Dragging, as a matter of the whole board: the card under the pointer may be drawn anew or go out of the document
 * meanwhile. While it lasts, no column changes its order and none scrolls; the board does, from side to side.
 */
export function useBoardDrag(board: RefObject<HTMLElement | null>): void {
  const { store } = useLive();
  useEffect(() => {
    const element = board.current;
    if (!element) return;
    return combine(
      // Dropped beside the columns, the drag ends here too.
      dropTargetForElements({ element }),
      autoScrollForElements({ element, getAllowedAxis: () => 'horizontal' }),
      monitorForElements({
        onDragStart: ({ source }) => {
          const { threadId } = source.data as DraggedLead;
          store.batch(() => {
            for (const id of store.board().columnIds) store.hold(id, REASON);
            store.pin(threadId);
          });
          cardHand.drag(threadId);
        },
        onDrop: ({ source, location }) => {
          const { threadId, from } = source.data as DraggedLead;
          const target = location.current.dropTargets.find(({ data }) => 'statusId' in data);
          const to = target?.data.statusId as StatusId | undefined;
          const isMove = to !== undefined && to !== from;
          store.batch(() => {
            if (isMove) void moveLead(store, { threadId, to, from });
            const happened = store.unpin(threadId);
            // Of a move that comes too late the service tells who was quicker.
            if (!isMove) tellHappened(store.card(threadId)?.card, happened);
            for (const id of store.board().columnIds) store.release(id, REASON);
          });
          cardHand.drag(null);
        },
      }),
    );
  }, [board, store]);
}
