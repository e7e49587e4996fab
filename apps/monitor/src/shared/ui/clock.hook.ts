import { useEffect, useState, useSyncExternalStore } from 'react';
import { serverNow } from '../format/server-clock';

interface Clock {
  now: number;
  listeners: Set<() => void>;
  timer: ReturnType<typeof setInterval> | null;
}

const clocks = new Map<number, Clock>();

function clockOf(everyMs: number): Clock {
  const known = clocks.get(everyMs);
  if (known) return known;
  const made: Clock = { now: serverNow(), listeners: new Set(), timer: null };
  clocks.set(everyMs, made);
  return made;
}

function subscribeTo(everyMs: number, listener: () => void): () => void {
  const clock = clockOf(everyMs);
  clock.listeners.add(listener);
  clock.timer ??= setInterval(() => {
    clock.now = serverNow();
    for (const each of clock.listeners) each();
  }, everyMs);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0 || clock.timer === null) return;
    clearInterval(clock.timer);
    clock.timer = null;
  };
}

/** What the time says, by one clock for all who go by it. Drawn anew only when the words change. */
export const useTimeWords = <Words extends string | null>(
  everyMs: number,
  words: (now: number) => Words,
): Words =>
  useSyncExternalStore(
    (listener) => subscribeTo(everyMs, listener),
    () => words(nowOf(everyMs)),
  );

/**
 * A clock that nobody goes by stands still: then the time is that of this moment, rounded up to the second. Rounded down,
 * what has just reached 12 minutes would show 11 until the clock ticks.
 */
function nowOf(everyMs: number): number {
  const clock = clockOf(everyMs);
  if (clock.timer === null) clock.now = Math.ceil(serverNow() / 1_000) * 1_000;
  return clock.now;
}

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
