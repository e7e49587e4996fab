import { useSyncExternalStore } from 'react';

/** What the person has in hand: the card that is dragged, and the one whose menu is open. */
interface Hand {
  dragged: string | null;
  menu: string | null;
}

let hand: Hand = { dragged: null, menu: null };
const listeners = new Set<() => void>();

function set(next: Partial<Hand>): void {
  hand = { ...hand, ...next };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const cardHand = {
  read: (): Hand => hand,
  drag: (threadId: string | null): void => set({ dragged: threadId }),
  openMenu: (threadId: string | null): void => set({ menu: threadId }),
};

/** Of one card, so that the others are not drawn anew. */
export const useIsMenuOpen = (threadId: string): boolean =>
  useSyncExternalStore(subscribe, () => hand.menu === threadId);

export const useIsDragged = (threadId: string): boolean =>
  useSyncExternalStore(subscribe, () => hand.dragged === threadId);
