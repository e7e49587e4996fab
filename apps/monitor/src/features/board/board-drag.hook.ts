import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { StatusId } from '@app/client/board/board-views';
import { useEffect, type RefObject } from 'react';
import { useLive } from '../../shared/live/live-context';
import type { DraggedLead } from './card/card-drag.hook';
import { cardHand } from './card/card-hand.store';
import { moveLead } from '../../shared/leads/lead-moves';
import { tellHappened } from './columns/happened-notice';

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
