import type { BoardState } from '@app/client/board/board.store';
import type { CardView, ColumnView, StatusId } from '@app/client/board/board-views';
import { useCallback, useSyncExternalStore } from 'react';
import { useLive } from '../../shared/live/live-context';

/** The stages and what is known of the board as a whole. */
export function useBoardState(): BoardState {
  const { store } = useLive();
  return useSyncExternalStore(store.subscribe, store.board);
}

export function useColumn(statusId: StatusId): ColumnView | undefined {
  const { store } = useLive();
  return useSyncExternalStore(
    useCallback((listener) => store.subscribeColumn(statusId, listener), [store, statusId]),
    () => store.column(statusId),
  );
}

/** Draws anew when this card changes, and at no other change of the board. */
export function useCard(threadId: string): CardView | undefined {
  const { store } = useLive();
  return useSyncExternalStore(
    useCallback((listener) => store.subscribeCard(threadId, listener), [store, threadId]),
    () => store.card(threadId),
  );
}

/** Whether the agent is silent at a stage. Draws anew when that changes, and at no other change of the stages. */
export function useIsSilent(statusId: StatusId): boolean {
  const { store } = useLive();
  return useSyncExternalStore(
    store.subscribe,
    () => store.board().statuses.find(({ id }) => id === statusId)?.ai_enabled === false,
  );
}

/** How many leads each of these columns has. */
export function useTotals(ids: readonly StatusId[]): number[] {
  const { store } = useLive();
  const key = ids.join();
  const read = (): string => ids.map((id) => store.column(id)?.total ?? 0).join();
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = ids.map((id) => store.subscribeColumn(id, listener));
      return () => stops.forEach((stop) => stop());
    },
    // The list is made anew at each drawing; its content counts.
    [store, key],
  );
  return useSyncExternalStore(subscribe, read).split(',').map(Number);
}
