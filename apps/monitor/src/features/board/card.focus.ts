import type { StatusId } from '@app/client/board.views';

type Reveal = (threadId: string) => boolean;

/** The card that has the focus, or had it last; and one that is to take it as soon as it is in the document. */
let current: string | null = null;
let wanted: string | null = null;
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

  /** The focus went to something else on purpose. */
  left(threadId: string): void {
    if (current === threadId) current = null;
  },

  /** Gives the focus to a card, after it has come into the document where it is not there. */
  want(threadId: string): void {
    wanted = threadId;
    const element = elementOf(threadId);
    if (element) return element.focus();
    for (const reveal of reveals.values()) if (reveal(threadId)) return;
  },

  /** A card came into the document. */
  arrived(threadId: string, element: HTMLElement): void {
    if (wanted !== threadId) return;
    element.focus({ preventScroll: false });
  },

  /** A card with the focus goes out of the document: it takes it again where it comes back. */
  gone(threadId: string): void {
    wanted = threadId;
  },

  /** A column that can bring a card into the document. */
  register(statusId: StatusId, reveal: Reveal): () => void {
    reveals.set(statusId, reveal);
    return () => {
      if (reveals.get(statusId) === reveal) reveals.delete(statusId);
    };
  },

  /** Nothing is wanted any more: the person went on, or the card is not on the board. */
  forget(): void {
    wanted = null;
  },
};

/** The card in which the focus is. */
export const focusedCard = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('[role=listitem][data-thread-id]') ?? null;
