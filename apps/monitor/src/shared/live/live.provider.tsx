import { useEffect, useState, type ReactNode } from 'react';
import { ConnectionBar } from './connection-bar.view';
import { LiveContext, useConnectionState, type Live } from './live.context';
import { keepAwake, openLive } from './live.session';

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
