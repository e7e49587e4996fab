import type { StatusId } from '@app/client/board/board-views';
import { memo, useLayoutEffect, useRef, type MouseEvent } from 'react';
import { IconDotsVertical } from '../../../shared/ui/icons.view';
import { useLive } from '../../../shared/live/live-context';
import { ErrorBoundary } from '../../../shared/ui/error-boundary';
import { useCard } from '../board-state.hook';
import { boardWords } from '../board.words';
import { useCardDrag } from './card-drag.hook';
import { cardFocus } from './card-focus';
import { cardHand, useIsDragged, useIsMenuOpen } from './card-hand.store';
import { CardMenu } from './card-menu.view';
import classes from './card.module.css';
import { noteDeparture, showArrival } from './card-motion';
import { CardContent } from './card.view';
import { customerName } from '../../../shared/leads/lead-names.format';

interface Props {
  threadId: string;
  statusId: StatusId;
  index: number;
  setSize: number;
  /** From the upper end of the list. */
  start: number;
  /** One card of each column is reached by Tab, the others by arrows. */
  isTabbable: boolean;
  /** Its dialog is open beside the board. */
  isOpen: boolean;
  glides: boolean;
  measure: (element: HTMLElement | null) => void;
  onOpen: (threadId: string) => void;
}

/** The place of a card in its column. */
export const CardSlot = memo(function CardSlot(props: Props) {
  const { threadId, statusId, index, setSize, start, isTabbable, isOpen, glides, measure, onOpen } = props;
  const t = boardWords.use();
  const { store } = useLive();
  const view = useCard(threadId);
  const isMenuOpen = useIsMenuOpen(threadId);
  const isDragged = useIsDragged(threadId);
  const element = useRef<HTMLDivElement>(null);
  useCardDrag(threadId, element);

  useLayoutEffect(() => {
    const slot = element.current;
    if (!slot) return;
    measure(slot);
    cardFocus.arrived(threadId, slot);
    showArrival(threadId, statusId, slot);
    return () => {
      cardFocus.gone(threadId, slot);
      const left = store.card(threadId);
      if (left?.movedBy && (left.card.lead_status?.id ?? null) !== statusId)
        noteDeparture(threadId, statusId, slot);
    };
  }, [measure, statusId, store, threadId]);

  if (!view) return null;
  const { card } = view;
  const open = ({ target, currentTarget }: MouseEvent<HTMLElement>): void => {
    // What is within a menu is of this card to React, and elsewhere in the document.
    if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest('a, button'))
      return;
    onOpen(threadId);
  };

  return (
    <div
      ref={element}
      role="listitem"
      className={glides ? `${classes.slot} ${classes.glides}` : classes.slot}
      style={{ transform: `translateY(${start}px)` }}
      tabIndex={isTabbable ? 0 : -1}
      onFocus={({ currentTarget }) => {
        cardFocus.took(threadId);
        letTabReachMenu(currentTarget, true);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) letTabReachMenu(currentTarget, false);
      }}
      data-index={index}
      data-thread-id={threadId}
      data-handler={card.message_handler}
      data-waiting={card.waiting || undefined}
      data-unread={card.unread_count || undefined}
      data-opted-out={card.opted_out || undefined}
      data-attention={card.attention?.reason}
      data-open={isOpen || undefined}
      data-dragged={isDragged || undefined}
      data-pending={view.pending || undefined}
      aria-posinset={index + 1}
      aria-setsize={setSize}
      aria-current={isOpen || undefined}
    >
      {/* A wider place to press than the link within, which does the same by the keyboard. */}
      <div className={classes.card} onClick={open}>
        <ErrorBoundary resetKey={view}>
          <CardContent view={view} />
        </ErrorBoundary>
        <span className={classes.menu}>
          <button
            type="button"
            className={classes.menuButton}
            aria-label={t('move', { name: customerName(card) })}
            aria-haspopup="menu"
            aria-expanded={isMenuOpen}
            tabIndex={-1}
            // The menu would take it for a press outside, and close before this opens it again.
            onMouseDown={(event) => isMenuOpen && event.stopPropagation()}
            onClick={() => cardHand.openMenu(isMenuOpen ? null : threadId)}
          >
            <IconDotsVertical size={16} aria-hidden />
          </button>
          {isMenuOpen && <CardMenu view={view} />}
        </span>
      </div>
    </div>
  );
});

/** By hand: which card Tab reaches changes with every move, and that is no reason to draw cards anew. */
function letTabReachMenu(slot: HTMLElement, isReachable: boolean): void {
  const button = slot.querySelector<HTMLElement>('[aria-haspopup=menu]');
  if (button) button.tabIndex = isReachable ? 0 : -1;
}
