import { useEffect, useState } from 'react';
import { serverNow } from '../format/server-clock';

/** The time, drawn anew every so often while it is needed. @param everyMs null: it stands still */
export function useClock(everyMs: number | null): number {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    if (everyMs === null) return;
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
