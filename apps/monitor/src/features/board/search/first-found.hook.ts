import type { BoardStore } from '@app/client/board/board.store';
import { useEffect, useRef } from 'react';
import { useLive } from '../../../shared/live/live-context';
import { useBoardState } from '../board-state.hook';
import { cardFocus } from '../card/card-focus';

function firstCard(store: BoardStore): string | undefined {
  const firsts = store.board().columnIds.map((id) => store.column(id)?.ids[0]);
  return firsts.find((id) => id !== undefined);
}

/**
 * Gives the focus to the first card, as soon as the board shows what was asked for.
 * @param isWanted the page has asked for it
 */
export function useFirstFound(isWanted: boolean, onDone: () => void): void {
  const { store } = useLive();
  const { loading } = useBoardState();
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    if (!isWanted || loading) return;
    // What is asked for changes with this drawing, and the board begins to load after it.
    const frame = requestAnimationFrame(() => {
      if (store.board().loading) return;
      done.current();
      const first = firstCard(store);
      if (first !== undefined) cardFocus.want(first);
    });
    return () => cancelAnimationFrame(frame);
  }, [isWanted, loading, store]);
}
