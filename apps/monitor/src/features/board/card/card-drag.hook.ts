import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview';
import type { BoardStore } from '@app/client/board/board.store';
import { useEffect, type RefObject } from 'react';
import { useLive } from '../../../shared/live/live-context';
import classes from './card.module.css';
import { customerName } from '../../../shared/leads/lead-names.format';

/** With what the person pointed last. A finger does not drag: it scrolls, and has the menu. */
let pointer = 'mouse';
addEventListener('pointerdown', ({ pointerType }) => (pointer = pointerType), { capture: true });

/** What a drag carries: all that is needed at its end, though the card be gone by then. */
export interface DraggedLead extends Record<string, unknown> {
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
