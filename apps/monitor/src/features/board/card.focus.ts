import type { StatusId } from '@app/client/board.views';

type Reveal = (threadId: string) => boolean;

/** The card that has the focus, or had it last; and one that is to take it as soon as it is in the document. */
let current: string | null = null;
let wanted: string | null = null;
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

  /** Gives the focus to a card, after it has come into the document where it is not there. */
  want(threadId: string): void {
    wanted = threadId;
    isReturning = false;
    const element = elementOf(threadId);
    if (element) return element.focus();
    for (const reveal of reveals.values()) if (reveal(threadId)) return;
  },

  /** A card came into the document. */
  arrived(threadId: string, element: HTMLElement): void {
    if (wanted !== threadId) return;
    // Meanwhile the person went on to something else.
    if (isReturning && document.activeElement !== document.body) wanted = null;
    else element.focus();
  },

  /**
   * A card with the focus goes out of the document: it takes it again where it comes back. If it is on the board no more,
   * the card that stands in its place takes it.
   */
  gone(threadId: string, list: Element | null, place: string | null): void {
    wanted = threadId;
    isReturning = true;
    requestAnimationFrame(() => {
      if (wanted !== threadId || elementOf(threadId)) return;
      for (const reveal of reveals.values()) if (reveal(threadId)) return;
      wanted = null;
      if (document.activeElement !== document.body) return;
      const cards = list?.querySelectorAll<HTMLElement>('[role=listitem]') ?? [];
      ([...cards].find((card) => card.ariaPosInSet === place) ?? [...cards].at(-1))?.focus();
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
    current = wanted = null;
  },
};

/** The card in which the focus is. */
export const focusedCard = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('[role=listitem][data-thread-id]') ?? null;
