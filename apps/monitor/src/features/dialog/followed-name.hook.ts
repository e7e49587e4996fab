import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { tellError } from '../../shared/notices/notice.store';
import type { DialogStore } from './dialog.store';
import type { LogRow } from './log.rows';

/** Where the address of an open dialog names another message, that one comes into view, read first if need be. */
export function useFollowedName(
  named: string | null,
  rows: readonly LogRow[],
  store: DialogStore,
  virtual: Virtualizer<HTMLDivElement, HTMLDivElement>,
): void {
  const followed = useRef(named);
  const sought = useRef<string | null>(null);
  useEffect(() => {
    if (named === followed.current) return;
    followed.current = sought.current = named;
    if (named !== null && !store.knows(named)) store.toMessage(named).catch(tellError);
  }, [named, store]);
  useEffect(() => {
    const index = sought.current === null ? -1 : rows.findIndex(({ key }) => key === sought.current);
    if (index < 0) return;
    sought.current = null;
    virtual.scrollToIndex(index, { align: 'center' });
  }, [named, rows, virtual]);
}
