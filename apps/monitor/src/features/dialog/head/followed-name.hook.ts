import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { tellError } from '../../../shared/notices/notice.store';
import type { DialogStore } from '../dialog.store';
import type { LogRow } from '../timeline/log-rows';

/** What a person does to leave it. */
const USER_INPUTS = ['keydown', 'pointerdown', 'touchstart', 'wheel'] as const;

/** Where the address of an open dialog names another message, that one comes into view, read first if need be. */
export function useFollowedName(
  named: string | null,
  rows: readonly LogRow[],
  store: DialogStore,
  virtual: Virtualizer<HTMLDivElement, HTMLDivElement>,
): void {
  const followed = useRef(named);
  const sought = useRef(named);
  useEffect(() => {
    if (named === followed.current) return;
    followed.current = sought.current = named;
    if (named !== null && !store.knows(named)) store.toMessage(named).catch(tellError);
  }, [named, store]);
  // Whatever changed: pages that are read on the way move its place, and a scroll goes by the place.
  useEffect(() => {
    const index = sought.current === null ? -1 : rows.findIndex(({ key }) => key === sought.current);
    if (index < 0) return;
    if (!isInView(virtual, index)) virtual.scrollToIndex(index, { align: 'center' });
  });
  useEffect(() => {
    const leave = (): void => void (sought.current = null);
    for (const event of USER_INPUTS)
      document.addEventListener(event, leave, { capture: true, passive: true });
    return () => {
      for (const event of USER_INPUTS) document.removeEventListener(event, leave, { capture: true });
    };
  }, []);
}

function isInView(virtual: Virtualizer<HTMLDivElement, HTMLDivElement>, index: number): boolean {
  const item = virtual.getVirtualItems().find((each) => each.index === index);
  const top = virtual.scrollOffset ?? 0;
  return item !== undefined && item.start >= top && item.start < top + (virtual.scrollRect?.height ?? 0);
}
