import { BoardConnection } from '@app/client/board/board-connection';
import { type ConnectionState } from '@app/client/board/board-views';
import type { BoardFault } from '@app/client/board/board-requests';
import { BoardStore } from '@app/client/board/board.store';
import { Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { session } from '../session/session.store';
import classes from './connection-bar.module.css';
import { LiveContext, useConnectionState, type Live, useLive } from './live-context';
import { liveWords } from './live.words';

/** A connection that comes back at once is nobody's concern. */
const SHOWN_AFTER_MS = 1_500;

/** Says that what is on the screen may be out of date. It pushes nothing aside: it lies at an edge. */
function ConnectionBar({ state }: { state: ConnectionState }) {
  const t = liveWords.use();
  const { connection } = useLive();
  const lasts = useLasts(state === 'connecting', SHOWN_AFTER_MS);
  const isShown = state === 'offline' || (state === 'connecting' && lasts);
  return (
    <div role="status" className={isShown ? classes.bar : undefined} data-state={state}>
      {isShown && (state === 'offline' ? t('offline') : t('connecting'))}
      {isShown && state === 'offline' && (
        <Button size="compact-sm" variant="default" onClick={() => connection.wake()}>
          {t('tryNow')}
        </Button>
      )}
    </div>
  );
}

function useLasts(holds: boolean, afterMs: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!holds) return;
    const timer = setTimeout(() => setLasts(true), afterMs);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [holds, afterMs]);
  return lasts;
}

/** Opens the page's connection. */
function openLive(): Live {
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
function keepAwake({ connection }: Live): () => void {
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

interface Props {
  /** False: the server would refuse it yet. */
  isWanted: boolean;
  children: ReactNode;
}

/** Around all pages of a person: opens the one connection that the board and the dialog live on. */
export function LiveProvider({ isWanted, children }: Props) {
  const [live, setLive] = useState<Live | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    const opened = openLive();
    const sleep = keepAwake(opened);
    setLive(opened);
    return () => {
      sleep();
      opened.connection.close();
    };
  }, [isWanted]);
  if (live === null) return isWanted ? null : children;
  return (
    <LiveContext value={live}>
      <Connection />
      {children}
    </LiveContext>
  );
}

/** Tells the state of the connection, to people and in `body[data-connection]`. */
function Connection() {
  const state = useConnectionState();
  useEffect(() => {
    document.body.dataset.connection = state;
  }, [state]);
  return <ConnectionBar state={state} />;
}
