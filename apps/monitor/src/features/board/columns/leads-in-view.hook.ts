import type { StatusId } from '@app/client/board/board-views';
import { useLayoutEffect, type RefObject, useRef } from 'react';
import { useLive } from '../../../shared/live/live-context';
import { useBoardState } from '../board-state.hook';

interface OpenLeadInViewOptions {
  board: RefObject<HTMLElement | null>;
  /** All columns. On a phone the document has one of them. */
  columnIds: readonly StatusId[];
  openThreadId: string | null;
}

/**
 * When a dialog opens beside the board, the column of its lead comes wholly into what is left of the board, by the
 * shortest way: so the pointer stays in the column in which it is. A column that is in view stays where it is.
 */
export function useOpenLeadInView({ board, columnIds, openThreadId }: OpenLeadInViewOptions): void {
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

interface Options {
  board: RefObject<HTMLElement | null>;
  /** All columns, from left to right. On a phone the document has one of them. */
  columnIds: readonly StatusId[];
  onShow: (id: StatusId) => void;
}

/** So much of a column has to be seen for its cards to be seen. */
const SEEN_PX = 80;

/**
 * After other leads were asked for, such as by a search: where no column in view has any of them, the first one that has
 * comes into view. What a person turns to afterwards stays in view, empty or not.
 */
export function useLeadsInView({ board, columnIds, onShow }: Options): void {
  const { store } = useLive();
  const { loading } = useBoardState();
  useLayoutEffect(() => {
    const element = board.current;
    if (loading || !element) return;
    const hasLeads = (id: StatusId): boolean => (store.column(id)?.total ?? 0) > 0;
    const found = columnIds.find(hasLeads);
    if (found === undefined) return;
    const frame = element.getBoundingClientRect();
    const lists = [...element.querySelectorAll('[role=list]')].map((list) => ({
      id: idOf(list),
      box: list.getBoundingClientRect(),
    }));
    const isSeen = ({ left, right }: DOMRect): boolean =>
      Math.min(right, frame.right) - Math.max(left, frame.left) >= SEEN_PX;
    if (lists.some(({ id, box }) => isSeen(box) && hasLeads(id))) return;
    const there = lists.find(({ id }) => id === found);
    if (there) element.scrollLeft += there.box.left - frame.left;
    else onShow(found);
    // Once for each choice of leads.
  }, [loading]);
}

function idOf(list: Element): StatusId {
  const id = list.getAttribute('data-status-id');
  return id === 'none' ? null : id;
}
