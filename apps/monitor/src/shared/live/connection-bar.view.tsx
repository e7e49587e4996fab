import type { ConnectionState } from '@app/client/board/board-connection';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './connection-bar.module.css';
import { useLive } from './live-context';
import { liveWords } from './live.words';

/** A connection that comes back at once is nobody's concern. */
const SHOWN_AFTER_MS = 1_500;

/** Says that what is on the screen may be out of date. It pushes nothing aside: it lies at an edge. */
export function ConnectionBar({ state }: { state: ConnectionState }) {
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
