import type { StatusId } from '@app/client/board/board-views';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import { useLive } from '../../../shared/live/live-context';
import { useBoardState } from '../board-state.hook';

interface Options {
  board: RefObject<HTMLElement | null>;
  /** All columns. On a phone the document has one of them. */
  columnIds: readonly StatusId[];
  openThreadId: string | null;
}

/**
 * When a dialog opens beside the board, the column of its lead comes wholly into what is left of the board, by the
 * shortest way: so the pointer stays in the column in which it is. A column that is in view stays where it is.
 */
export function useOpenLeadInView({ board, columnIds, openThreadId }: Options): void {
  const { store } = useLive();
  const { loading } = useBoardState();
  const looked = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = board.current;
    if (loading || !element || looked.current === openThreadId) return;
    looked.current = openThreadId;
    const id = columnIds.find((each) => store.column(each)?.ids.includes(openThreadId ?? ''));
    const list = id !== undefined && element.querySelector(`[role=list][data-status-id="${id ?? 'none'}"]`);
    if (!list) return;
    const [frame, column] = [element.getBoundingClientRect(), list.getBoundingClientRect()];
    const left = Math.min(0, column.left - frame.left) || Math.max(0, column.right - frame.right);
    if (left === 0) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollBy({ left, behavior: isStill ? 'instant' : 'smooth' });
  }, [board, store, loading, columnIds, openThreadId]);
}
