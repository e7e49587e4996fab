import type { BoardConnection, ConnectionState } from '@app/client/board/board-connection';
import type { BoardFault } from '@app/client/board/board-requests';
import type { BoardStore } from '@app/client/board/board.store';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { useSession } from '../session/session.store';

/** Why the board that was asked for cannot be shown; null: it can. */
interface BoardRefusal {
  read: () => BoardFault | null;
  subscribe: (listener: () => void) => () => void;
  clear: () => void;
}

/**
 * What is live on the board's page, and in the dialog beside it: one connection for both.
 *
 * - `connection.onThread(threadId, listener)`: every event of a dialog, its `card` in it, once and in order.
 * - `connection.onMessage(threadId, listener)`: every message of a dialog that comes or changes.
 * - `connection.onGap(listener)`: what was missed is unknown, so what was read of a dialog is to be read anew.
 * - `connection.look(threadId, { typing })`: the person looks at a dialog; `look(null)`: at none. It is said again by
 *   itself as long as it holds.
 * - `store.card(threadId)` and `store.subscribeCard(threadId, listener)`: the card, and who has the dialog open, as far as
 *   the board knows the lead. It does not know those of other filters.
 *
 * Each `on…` and `subscribe…` gives a function that ends it: give it back from an effect.
 */
export interface Live {
  store: BoardStore;
  connection: BoardConnection;
  refusal: BoardRefusal;
}

/** Null outside of `LiveProvider`. */
export const LiveContext = createContext<Live | null>(null);

/** Only below `LiveProvider`. */
export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error('There is no connection here.');
  return live;
}

/** Whether what is on the screen is true now. */
export function useConnectionState(): ConnectionState {
  const { connection } = useLive();
  const { status } = useSession();
  const state = useSyncExternalStore(connection.subscribeState, connection.state);
  if (!useIsOnNetwork()) return 'offline';
  // The service has answered, and waits for a sign-in.
  return status === 'ended' && state === 'offline' ? 'connecting' : state;
}

/** As far as the browser knows. A connection notices later that its network is gone. */
const useIsOnNetwork = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
