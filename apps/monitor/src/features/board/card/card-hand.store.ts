import type { Happened } from '@app/client/board/board-views';
import type { Card } from '@app/contracts/board-events';
import { useSyncExternalStore } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { actorName, customerName, stageName } from '../../../shared/leads/lead-names.format';
import { tellDone } from '../../../shared/notices/notice.store';
import { boardWords } from '../board.words';

/** What happened to a card while somebody had it in hand. */
export function tellHappened(card: Card | undefined, happened: readonly Happened[]): void {
  const last = happened.at(-1);
  if (!last || !card) return;
  const name = isolated(customerName(card));
  if (last.kind === 'left') tellDone(boardWords.say('meanwhileLeft', { name }));
  else if (last.kind === 'erased') tellDone(boardWords.say('meanwhileErased'));
  else
    tellDone(
      boardWords.say('meanwhileMoved', {
        ...{ who: actorName(last.by), name },
        stage: isolated(stageName(last.card.lead_status)),
      }),
    );
}

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
