import type { StatusId } from '@app/client/board/board-views';
import { memo, useLayoutEffect, useRef, type MouseEvent } from 'react';
import { IconDotsVertical } from '../../../shared/ui/icons.view';
import { useLive } from '../../../shared/live/live-context';
import { ErrorBoundary } from '../../../shared/ui/states.view';
import { useCard } from '../board-state.hook';
import { boardWords } from '../board.words';
import { useCardDrag } from './card-drag.hook';
import { cardFocus } from './card-focus';
import { cardHand, useIsDragged, useIsMenuOpen } from './card-hand.store';
import { CardMenu } from './card-menu.view';
import classes from './card.module.css';
import { CardContent } from './card.view';
import { customerName } from '../../../shared/leads/lead-names.format';

interface Departure {
  from: StatusId;
  rect: DOMRect;
  picture: HTMLElement;
  at: number;
}

const FLIGHT_MS = 260;
/** A card that leaves one column and comes into another does both at once. */
const WITHIN_MS = 200;
const STRIPPED = ['id', 'role', 'aria-label', 'data-thread-id', 'tabindex', 'href'];
const departures = new Map<string, Departure>();

const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A card goes out of its column, because somebody else moved it: where it was, and what it looked like. */
function noteDeparture(threadId: string, from: StatusId, element: HTMLElement): void {
  if (isStill()) return;
  const card = element.firstElementChild;
  if (!(card instanceof HTMLElement)) return;
  const picture = card.cloneNode(true) as HTMLElement;
  for (const part of [picture, ...picture.querySelectorAll('*')])
    for (const name of STRIPPED) part.removeAttribute(name);
  departures.set(threadId, { from, rect: card.getBoundingClientRect(), picture, at: performance.now() });
}

/** A card has come into a column. If it left another one just now, it glides over. */
function showArrival(threadId: string, to: StatusId, element: HTMLElement): void {
  const departure = departures.get(threadId);
  if (!departure) return;
  departures.delete(threadId);
  const card = element.firstElementChild;
  if (departure.from === to || performance.now() - departure.at > WITHIN_MS || !card) return;
  const { rect, picture } = departure;
  const target = card.getBoundingClientRect();
  // Out of view, such as under the dialog beside the board: it would fly over that.
  if (!isSeen(rect, element) || !isSeen(target, element)) return;
  picture.classList.add(classes.flight ?? '');
  picture.setAttribute('aria-hidden', 'true');
  picture.inert = true;
  Object.assign(picture.style, {
    left: `${rect.left}px`,
    top: `${rect.top}px`,
    width: `${rect.width}px`,
    height: `${rect.height}px`,
  });
  document.body.append(picture);
  const way = `translate(${target.left - rect.left}px, ${target.top - rect.top}px)`;
  const flight = picture.animate([{ transform: 'none' }, { transform: way }], {
    duration: FLIGHT_MS,
    easing: 'cubic-bezier(0.2, 0, 0, 1)',
  });
  const land = (): void => picture.remove();
  flight.onfinish = land;
  flight.oncancel = land;
  card.animate([{ opacity: 0.2 }, { opacity: 1 }], FLIGHT_MS);
}

/** Within the board from side to side, for half its width at least. */
function isSeen({ left, right, width }: DOMRect, card: HTMLElement): boolean {
  const board = card.closest('[role=list]')?.parentElement?.parentElement?.getBoundingClientRect();
  if (!board) return false;
  return Math.min(right, board.right) - Math.max(left, board.left) >= width / 2;
}

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
