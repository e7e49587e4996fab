import type { StatusId } from '@app/client/board/board-views';
import classes from './card.module.css';

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
export function noteDeparture(threadId: string, from: StatusId, element: HTMLElement): void {
  if (isStill()) return;
  const card = element.firstElementChild;
  if (!(card instanceof HTMLElement)) return;
  const picture = card.cloneNode(true) as HTMLElement;
  for (const part of [picture, ...picture.querySelectorAll('*')])
    for (const name of STRIPPED) part.removeAttribute(name);
  departures.set(threadId, { from, rect: card.getBoundingClientRect(), picture, at: performance.now() });
}

/** A card has come into a column. If it left another one just now, it glides over. */
export function showArrival(threadId: string, to: StatusId, element: HTMLElement): void {
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
