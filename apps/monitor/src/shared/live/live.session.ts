import { BoardConnection } from '@app/client/board.connection';
import type { BoardFault } from '@app/client/board.requests';
import { BoardStore } from '@app/client/board.store';
import { session } from '../session/session.store';
import type { Live } from './live.context';

/** Opens the page's connection. */
export function openLive(): Live {
  const store = new BoardStore();
  let fault: BoardFault | null = null;
  const listeners = new Set<() => void>();
  const set = (next: BoardFault | null): void => {
    fault = next;
    for (const listener of listeners) listener();
  };
  const connection = new BoardConnection({
    store,
    onSessionEnded: () => session.end(),
    onRefused: set,
  });
  const refusal = {
    read: () => fault,
    clear: () => set(null),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { store, connection, refusal };
}

/**
 * Wakes the connection when the page is seen again, the network is back, the machine was asleep, or the person has
 * signed in over a session that had ended. @returns what ends it
 */
export function keepAwake({ connection }: Live): () => void {
  const wake = (): void => connection.wake();
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') wake();
  };
  let hadEnded = session.state().status === 'ended';
  const onSession = (): void => {
    const { status } = session.state();
    if (hadEnded && status === 'in') connection.renew();
    hadEnded = status === 'ended';
  };
  document.addEventListener('visibilitychange', onVisible);
  document.addEventListener('resume', wake);
  addEventListener('online', wake);
  const stop = session.subscribe(onSession);
  return () => {
    document.removeEventListener('visibilitychange', onVisible);
    document.removeEventListener('resume', wake);
    removeEventListener('online', wake);
    stop();
  };
}
