import { useEffect, useState, type ReactNode } from 'react';
import { ConnectionBar } from './connection-bar.view';
import { LiveContext, useConnectionState, type Live } from './live.context';
import { keepAwake, openLive } from './live.session';

/** Around the board and the dialog: opens the one connection that both live on. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [live, setLive] = useState<Live | null>(null);
  useEffect(() => {
    const opened = openLive();
    const sleep = keepAwake(opened);
    setLive(opened);
    return () => {
      sleep();
      opened.connection.close();
    };
  }, []);
  if (live === null) return null;
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
