import type { StatusId } from '@app/client/board/board-views';
import { useEffect, type RefObject } from 'react';
import { useSingleKeyActions } from '../../shared/keys/single-keys.hook';
import { useLive } from '../../shared/live/live-context';
import { replyRequest } from '../../shared/live/reply-request';
import { cardFocus, focusedCard } from './card/card-focus';
import { cardHand } from './card/card-hand.store';

interface Options {
  board: RefObject<HTMLElement | null>;
  /** The columns in the document, from left to right. */
  columnIds: readonly StatusId[];
  onOpen: (threadId: string) => void;
  onSwitch: (threadId: string) => void;
}

/** The board by keyboard: arrows within it always, letters where single keys are on. */
export function useBoardKeys({ board, columnIds, onOpen, onSwitch }: Options): void {
  const { store } = useLive();

  const walk = (by: 1 | -1): void => {
    const card = focusedCard();
    if (!card) return enter();
    const list = card.closest('[role=list]')?.getAttribute('data-status-id');
    const ids = store.column(list === 'none' ? null : (list ?? null))?.ids ?? [];
    const next = ids[ids.indexOf(card.dataset.threadId ?? '') + by];
    if (next !== undefined) cardFocus.want(next);
  };
  /** To the card where the focus was last, or to the first one. */
  const enter = (): void => {
    const last = cardFocus.current();
    const first = columnIds.map((id) => store.column(id)?.ids[0]).find((id) => id !== undefined);
    const isThere = last !== null && columnIds.some((id) => store.column(id)?.ids.includes(last));
    if (isThere) cardFocus.want(last);
    else if (first !== undefined) cardFocus.want(first);
  };
  /** To the nearest column with cards, to the card at the same height. */
  const cross = (by: 1 | -1): void => {
    const card = focusedCard();
    if (!card) return enter();
    const list = card.closest('[role=list]');
    const lists = [...(board.current?.querySelectorAll('[role=list]') ?? [])];
    const height = card.getBoundingClientRect().top;
    for (let at = lists.indexOf(list as Element) + by; at >= 0 && at < lists.length; at += by) {
      const nearest = nearestTo(height, [
        ...(lists[at]?.querySelectorAll<HTMLElement>('[role=listitem]') ?? []),
      ]);
      if (!nearest) continue;
      nearest.focus();
      return;
    }
  };
  /** Away from a card the keys are those of the dialog beside the board. */
  const onCard = (act: (threadId: string) => void) => (): boolean => {
    const threadId = focusedCard()?.dataset.threadId;
    if (threadId === undefined) return false;
    act(threadId);
    return true;
  };

  useSingleKeyActions({
    KeyJ: () => walk(1),
    KeyK: () => walk(-1),
    KeyM: onCard((threadId) => cardHand.openMenu(threadId)),
    KeyA: onCard(onSwitch),
    KeyR: onCard((threadId) => {
      replyRequest.ask(threadId);
      onOpen(threadId);
    }),
  });

  useEffect(() => {
    const element = board.current;
    if (!element) return;
    const onKey = (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (!(target instanceof HTMLElement) || !target.closest('[role=listitem]')) return;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const act = {
        ArrowDown: () => walk(1),
        ArrowUp: () => walk(-1),
        ArrowRight: () => cross(1),
        ArrowLeft: () => cross(-1),
        // Buttons and links within the card have it for themselves.
        ...(target.matches('[role=listitem]') ? { Enter: onCard(onOpen) } : {}),
      }[key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    element.addEventListener('keydown', onKey);
    return () => element.removeEventListener('keydown', onKey);
  });
}

function nearestTo(height: number, cards: readonly HTMLElement[]): HTMLElement | undefined {
  const distance = (card: HTMLElement): number => Math.abs(card.getBoundingClientRect().top - height);
  return [...cards].sort((one, other) => distance(one) - distance(other))[0];
}
