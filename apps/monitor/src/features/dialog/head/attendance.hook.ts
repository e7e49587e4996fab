import type { Card } from '@app/contracts/board-events';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { useLive } from '../../../shared/live/live-context';
import type { SaidRow } from '../timeline/timeline-rows';

/** What one scrolls or opens past is not read; and a log that opens at its first unread message is at its end on the way. */
const READ_MS = 300;
/** Without a further key one does not type any more. */
const TYPING_MS = 5_000;

/** Tells colleagues that one looks at a dialog, and types. @returns what to call at every key */
export function usePresence(threadId: string): () => void {
  const { connection } = useLive();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    connection.look(threadId);
    return () => {
      clearTimeout(timer.current);
      connection.look(null);
    };
  }, [connection, threadId]);
  return useCallback(() => {
    clearTimeout(timer.current);
    connection.look(threadId, { typing: true });
    timer.current = setTimeout(() => connection.look(threadId), TYPING_MS);
  }, [connection, threadId]);
}

/** Whether somebody sits before this window. */
export function useIsAttended(): boolean {
  const read = (): boolean => document.visibilityState === 'visible' && document.hasFocus();
  const [isAttended, setAttended] = useState(read);
  useEffect(() => {
    const look = (): void => setAttended(read());
    addEventListener('focus', look);
    addEventListener('blur', look);
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      removeEventListener('focus', look);
      removeEventListener('blur', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return isAttended;
}

/** Marks as read what somebody has before their eyes: up to the newest message, once for each. */
export function useMarkRead(card: Card | null, messages: readonly SaidRow[], isSeen: boolean): void {
  const told = useRef('');
  const newest = messages.at(-1)?.message.id;
  // Of an erased customer nothing can be marked any more.
  const unread = card?.erased_at === null ? card.unread_count : 0;
  const threadId = card?.thread_id;
  useEffect(() => {
    if (!isSeen || unread === 0 || newest === undefined || threadId === undefined) return;
    if (told.current === newest) return;
    const timer = setTimeout(() => {
      told.current = newest;
      api.post('/api/v1/messages/mark-read', { body: { thread_id: threadId, up_to: newest } }).catch(() => {
        // The next look at it tries again.
        if (told.current === newest) told.current = '';
      });
    }, READ_MS);
    return () => clearTimeout(timer);
  }, [isSeen, unread, newest, threadId]);
}
