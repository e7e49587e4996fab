import type { ColumnView, StatusId } from '@app/client/board/board-views';
import { Button } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useLayoutEffect, useState } from 'react';
import { wholeNumber } from '../../../shared/format/number.format';
import { useLive } from '../../../shared/live/live-context';
import { commonWords } from '../../../shared/words/common.words';
import { boardWords } from '../board.words';
import { cardFocus } from './card-focus';
import { cardHand } from './card-hand.store';
import { CardSlot } from './card-slot.view';
import classes from '../columns/column.module.css';

/** What comes within this time is not spoken of. */
const SOON_MS = 1_000;

interface FurtherProps {
  statusId: StatusId;
  shown: number;
  total: number;
}

/** Below the last card that is there, where further ones do not come by themselves. */
function Further({ statusId, shown, total }: FurtherProps) {
  const t = boardWords.use();
  const common = commonWords.use();
  const { connection } = useLive();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <p className={classes.further}>
      {t('further', { shown: wholeNumber(shown), total: wholeNumber(total) })}
      <Button size="compact-sm" fz="xs" variant="default" onClick={() => connection.more(statusId)}>
        {common('more')}
      </Button>
    </p>
  );
}

const GLIDE_MS = 300;

/** True for a moment after the order of a list has changed, so that cards glide to their new places. */
function useGlide(ids: readonly string[]): boolean {
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

const ESTIMATED_PX = 84;
const GAP_PX = 8;
const OVERSCAN = 3;
/** So many cards before the end the next ones are asked for. */
const AHEAD = 15;

interface Props {
  column: ColumnView;
  name: string;
  openThreadId: string | null;
  /** Out of view from side to side: only what is in hand is in the document. */
  isFar: boolean;
  onOpen: (threadId: string) => void;
}

/** The cards of a column, of which only those near the view are in the document, and those that somebody has in hand. */
export function CardList({ column, name, openThreadId, isFar, onOpen }: Props) {
  const { connection } = useLive();
  const { statusId, ids, nextCursor } = column;
  const list = useRef<HTMLDivElement>(null);
  const idsNow = useRef(ids);
  idsNow.current = ids;

  const virtual = useVirtualizer({
    count: ids.length,
    getScrollElement: () => list.current,
    estimateSize: () => ESTIMATED_PX,
    getItemKey: (index) => ids[index] ?? index,
    gap: GAP_PX,
    paddingStart: 4,
    paddingEnd: 16,
    overscan: OVERSCAN,
    rangeExtractor: useCallback((range: Range) => withKept(range, idsNow.current, isFar), [isFar]),
    useFlushSync: false,
  });

  const reveal = useCallback(
    (threadId: string): boolean => {
      const index = idsNow.current.indexOf(threadId);
      if (index < 0) return false;
      virtual.scrollToIndex(index, { align: 'auto' });
      return true;
    },
    [virtual],
  );
  useEffect(() => cardFocus.register(statusId, reveal), [statusId, reveal]);

  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (nextCursor !== null && last >= 0 && last >= ids.length - AHEAD) connection.more(statusId);
  }, [connection, statusId, nextCursor, last, ids.length]);

  const measure = useCallback((element: HTMLElement | null) => virtual.measureElement(element), [virtual]);
  const glides = useGlide(ids);
  const focused = cardFocus.current();
  const shown = items.map(({ index }) => ids[index]);
  const tabbable = focused !== null && shown.includes(focused) ? focused : shown[0];
  const setSize = Math.max(column.total, ids.length);

  const isEndShown = nextCursor !== null && last >= ids.length - 1;

  return (
    <>
      <div
        ref={list}
        role="list"
        data-status-id={statusId ?? 'none'}
        aria-label={name}
        className={classes.list}
      >
        <div role="presentation" className={classes.cards} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const threadId = ids[index];
            if (threadId === undefined) return null;
            return (
              <CardSlot
                key={threadId}
                threadId={threadId}
                statusId={statusId}
                index={index}
                setSize={setSize}
                start={start}
                isTabbable={threadId === tabbable}
                isOpen={threadId === openThreadId}
                glides={glides}
                measure={measure}
                onOpen={onOpen}
              />
            );
          })}
        </div>
      </div>
      {isEndShown && <Further statusId={statusId} shown={ids.length} total={setSize} />}
    </>
  );
}

/** The cards in view, and those that may not go out of the document: focused, dragged, or with their menu open. */
function withKept(range: Range, ids: readonly string[], isFar: boolean): number[] {
  const inView = isFar ? [] : defaultRangeExtractor(range);
  const { dragged, menu } = cardHand.read();
  const kept = [dragged, menu, cardFocus.current()]
    .map((id) => (id === null ? -1 : ids.indexOf(id)))
    .filter((index) => index >= 0 && !inView.includes(index));
  return kept.length === 0 ? inView : [...new Set([...inView, ...kept])].sort((a, b) => a - b);
}
