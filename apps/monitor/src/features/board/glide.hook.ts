import { useEffect, useLayoutEffect, useRef, useState } from 'react';

const GLIDE_MS = 300;

/** True for a moment after the order of a list has changed, so that cards glide to their new places. */
export function useGlide(ids: readonly string[]): boolean {
  const before = useRef(ids);
  const [until, setUntil] = useState(0);
  const isOther = before.current !== ids && isReordered(before.current, ids);
  useLayoutEffect(() => {
    if (isOther) setUntil(performance.now() + GLIDE_MS);
    before.current = ids;
  }, [ids, isOther]);
  useEffect(() => {
    if (until === 0) return;
    const timer = setTimeout(() => setUntil(0), Math.max(0, until - performance.now()));
    return () => clearTimeout(timer);
  }, [until]);
  return isOther || until > 0;
}

/** Further cards at the end move none. */
const isReordered = (before: readonly string[], now: readonly string[]): boolean =>
  before.length > 0 && before.some((id, index) => id !== now[index]);
