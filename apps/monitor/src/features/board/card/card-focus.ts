import type { StatusId } from '@app/client/board/board-views';

type Reveal = (threadId: string) => boolean;

/** The card that has the focus, or had it last; and one that is to take it as soon as it is in the document. */
let current: string | null = null;
let wanted: string | null = null;
/** Where the card that had the focus last stood when it went out of the document. */
let left: { threadId: string; list: Element | null; place: string | null } | null = null;
/** The card did not ask for the focus: it had it, and went out of the document for a moment. */
let isReturning = false;
const reveals = new Map<StatusId, Reveal>();

const elementOf = (threadId: string): HTMLElement | null =>
  document.querySelector(`[role=listitem][data-thread-id="${CSS.escape(threadId)}"]`);

/** Keeps the focus on a card, though lists are virtual and cards move. */
export const cardFocus = {
  /** Stays in the document while it is there. */
  current: (): string | null => wanted ?? current,

  /** A card has taken the focus. */
  took(threadId: string): void {
    current = threadId;
    wanted = null;
  },

  /**
   * Gives the focus to a card, after it has come into the document where it is not there. If it is on the board no more,
   * such as under a filter, the card that stands in its place has it.
   */
  want(threadId: string): void {
    wanted = threadId;
    isReturning = false;
    const element = elementOf(threadId);
    if (element) return element.focus();
    for (const reveal of reveals.values()) if (reveal(threadId)) return;
    standInFor(threadId)?.focus();
  },

  /** A card came into the document. */
  arrived(threadId: string, element: HTMLElement): void {
    if (wanted !== threadId) return;
    // Meanwhile the person went on to something else.
    if (isReturning && document.activeElement !== document.body) wanted = null;
    else element.focus();
  },

  /**
   * A card goes out of the document. If it has the focus, it takes it again where it comes back. If it is on the board no
   * more, the card that stands in its place takes it.
   */
  gone(threadId: string, slot: HTMLElement): void {
    if (current !== threadId) return;
    left = { threadId, list: slot.closest('[role=list]'), place: slot.ariaPosInSet };
    if (!slot.contains(document.activeElement)) return;
    wanted = threadId;
    isReturning = true;
    requestAnimationFrame(() => {
      if (wanted !== threadId || elementOf(threadId)) return;
      for (const reveal of reveals.values()) if (reveal(threadId)) return;
      wanted = null;
      if (document.activeElement === document.body) standInFor(threadId)?.focus();
    });
  },

  /** A column that can bring a card into the document. */
  register(statusId: StatusId, reveal: Reveal): () => void {
    reveals.set(statusId, reveal);
    return () => {
      if (reveals.get(statusId) === reveal) reveals.delete(statusId);
    };
  },

  /** Another board is shown, or none. */
  forget(): void {
    current = wanted = left = null;
  },
};

/** The card in which the focus is. */
export const focusedCard = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('[role=listitem][data-thread-id]') ?? null;

/** The card that stands where another one stood, or the nearest: in its column, in those after it, in those before it. */
function standInFor(threadId: string): HTMLElement | null {
  const { list, place } = left?.threadId === threadId ? left : { list: null, place: null };
  const lists = [...document.querySelectorAll('[role=list][data-status-id]')];
  const at = list === null ? -1 : lists.indexOf(list);
  const before = lists.slice(0, Math.max(at, 0)).reverse();
  for (const near of [...lists.slice(Math.max(at, 0)), ...before]) {
    const cards = [...near.querySelectorAll<HTMLElement>('[role=listitem]')];
    const inPlace = near === list ? cards.find((card) => card.ariaPosInSet === place) : cards[0];
    const found = inPlace ?? cards.at(-1);
    if (found) return found;
  }
  return null;
}
