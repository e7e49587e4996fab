import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { DialogStore, DialogState } from '../dialog.store';

/** Of lines that were not measured yet. */
const ESTIMATES: Record<string, number> = {
  day: 32,
  unread: 32,
  history: 26,
  message: 56,
  sending: 56,
  typing: 30,
};
/** So near to an end is at it. */
const AT_END_PX = 60;
/** The next page is read before one comes to the end of this one. */
const AHEAD_ROWS = 12;

interface ScrolledRow {
  key: string;
  kind: string;
}

interface ScrolledLog {
  virtual: Virtualizer<HTMLDivElement, HTMLDivElement>;
  /** So it is taken to be until it stands where it opens. */
  isAtEnd: boolean;
  /** It stands at its end, and somebody sees that. */
  isEndSeen: boolean;
  /** The further messages at an end could not be read. */
  failedAt: 'older' | 'newer' | null;
  onScroll: () => void;
  toEnd: () => void;
  retry: () => void;
}

/**
 * The lines of a dialog, of which only those in view are in the document. It stands at its end, and stays there when
 * lines come; pages that are read above or below move nothing.
 * @param startKey the line at which it opens; null: its end
 */
export function useScrolledLog(
  log: RefObject<HTMLDivElement | null>,
  rows: readonly ScrolledRow[],
  { hasOlder, hasNewer, reading }: DialogState,
  store: DialogStore,
  startKey: string | null,
): ScrolledLog {
  /** Null until it stands where it opens. */
  const [atEnd, setAtEnd] = useState<boolean | null>(null);
  const isAtEnd = atEnd ?? true;
  const [failedAt, setFailedAt] = useState<'older' | 'newer' | null>(null);
  const isSettled = useRef(false);
  const virtual = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => log.current,
    estimateSize: (index) => ESTIMATES[rows[index]?.kind ?? ''] ?? 56,
    getItemKey: (index) => rows[index]?.key ?? index,
    anchorTo: 'end',
    followOnAppend: !hasNewer,
    scrollEndThreshold: AT_END_PX,
    overscan: 6,
    gap: 4,
    paddingStart: 12,
    paddingEnd: 12,
  });

  const stay = useStayAtEnd(log, virtual);
  useLayoutEffect(() => {
    const index = startKey === null ? -1 : rows.findIndex(({ key }) => key === startKey);
    if (index >= 0) virtual.scrollToIndex(index, { align: startKey === 'unread' ? 'start' : 'center' });
    else virtual.scrollToEnd();
    const frame = requestAnimationFrame(() => {
      isSettled.current = true;
      setAtEnd(virtual.isAtEnd(AT_END_PX));
    });
    return () => cancelAnimationFrame(frame);
    // Once: what comes later moves nothing.
  }, []);

  const look = (): void => {
    setAtEnd(virtual.isAtEnd(AT_END_PX));
    stay.note();
  };
  // Whatever changed: scrolling, lines that came, sizes that were measured.
  useEffect(() => {
    if (isSettled.current) look();
  });

  const read = useCallback(
    (end: 'older' | 'newer') => {
      setFailedAt(null);
      (end === 'older' ? store.readOlder() : store.readNewer()).catch(() => setFailedAt(end));
    },
    [store],
  );
  const visible = virtual.getVirtualItems();
  const [first, last] = [visible[0]?.index ?? 0, visible.at(-1)?.index ?? 0];
  useEffect(() => {
    if (!isSettled.current || reading !== null || failedAt !== null) return;
    if (hasOlder && first < AHEAD_ROWS) read('older');
    else if (hasNewer && last >= rows.length - AHEAD_ROWS) read('newer');
  }, [first, last, hasOlder, hasNewer, reading, failedAt, read, rows.length, isAtEnd]);

  return {
    virtual,
    isAtEnd: isAtEnd && !hasNewer,
    isEndSeen: atEnd === true && !hasNewer,
    failedAt,
    onScroll: look,
    toEnd: () => {
      if (!hasNewer) virtual.scrollToEnd();
      else
        store.toNewest().then(
          () => virtual.scrollToEnd(),
          () => setFailedAt('newer'),
        );
    },
    retry: () => failedAt !== null && read(failedAt),
  };
}

/** What is seen at the end stays in view when the field below grows, as it does while one types. */
function useStayAtEnd(
  log: RefObject<HTMLDivElement | null>,
  virtual: ScrolledLog['virtual'],
): { note: () => void } {
  const seen = useRef({ height: 0, isAtEnd: false });
  useEffect(() => {
    const element = log.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (seen.current.isAtEnd) virtual.scrollToEnd();
      seen.current.height = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [log, virtual]);
  return {
    note: () => {
      // Of another height it is the resizing that took it from the end, and not the person.
      if (log.current?.clientHeight === seen.current.height)
        seen.current.isAtEnd = virtual.isAtEnd(AT_END_PX);
    },
  };
}
