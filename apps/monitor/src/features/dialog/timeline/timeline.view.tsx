import { describe } from '@app/contracts/message-content';
import { Button } from '@mantine/core';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { tellError } from '../../../shared/notices/notice.store';
import { IconArrowDown } from '../../../shared/ui/icons.view';
import { dayKey } from '../../../shared/format/time.format';
import { commonWords } from '../../../shared/words/common.words';
import { EmptyState } from '../../../shared/ui/states.view';
import type { OpenDialog } from '../dialog.hook';
import { customerName } from '../../../shared/leads/lead-names.format';
import type { Sending } from '../composer/sending.store';
import type { DialogStore } from '../dialog.store';
import { useScrolledLog } from './timeline.hook';
import classes from './timeline.module.css';
import { firstUnreadKey, timelineRows } from './timeline-rows';
import { presentLanguage } from '../../../shared/words/language.store';
import { timelineWords } from './timeline.words';
import { TimelineLine, continues, type LogRow } from './timeline-line.view';

/** What a person does to leave it. */
const USER_INPUTS = ['keydown', 'pointerdown', 'touchstart', 'wheel'] as const;

/** Where the address of an open dialog names another message, that one comes into view, read first if need be. */
function useFollowedName(
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

const PROPERTY = '--ll-log-top';

/**
 * Tells the page's styles where the log begins. On a phone notices are shown there: above it they would lie over what is
 * pressed, below it over what is typed.
 */
function useLogTop(log: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = log.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty(PROPERTY, `${element.getBoundingClientRect().top}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(PROPERTY);
    };
  }, [log]);
}

interface Props {
  dialog: OpenDialog;
  /** The message that the address names. */
  named: string | null;
  isAgentAnswering: boolean;
  onAgain: (sending: Sending) => void;
  onEndSeen: (isSeen: boolean) => void;
}

/** What was said and what happened, by time. */
export function Timeline({ dialog, named, isAgentAnswering, onAgain, onEndSeen }: Props) {
  const t = timelineWords.use();
  const common = commonWords.use();
  const { state, store, sendings, sending } = dialog;
  const { messages, history, hasOlder, hasNewer, card } = state;
  const customer = card ? customerName(card) : '';
  // Where it stood when the dialog was opened: reading does not move it.
  const [{ firstUnread, startKey }] = useState(() => {
    const unread = card?.unread_count ?? 0;
    const first = firstUnreadKey(messages, unread, hasOlder);
    // Of very many unread ones, one begins with the oldest that is here.
    const oldest = unread > 0 && hasOlder ? (messages[0]?.key ?? null) : null;
    return { firstUnread: first, startKey: named ?? (first === null ? oldest : 'unread') };
  });
  const rows = useMemo((): LogRow[] => {
    const said = timelineRows({ messages, history, hasOlder, hasNewer, firstUnread }, dayKey);
    const own = hasNewer
      ? []
      : sendings.map((each) => ({ ...{ key: each.key, sending: each }, kind: 'sending' as const }));
    return [...said, ...own, ...(isAgentAnswering ? [{ key: 'typing', kind: 'typing' as const }] : [])];
  }, [messages, history, hasOlder, hasNewer, firstUnread, sendings, isAgentAnswering]);

  const log = useRef<HTMLDivElement>(null);
  useLogTop(log);
  const scrolled = useScrolledLog(log, rows, state, store, startKey);
  useFollowedName(named, rows, store, scrolled.virtual);
  const { virtual, isAtEnd, isEndSeen, failedAt } = scrolled;
  const { unseen, announcement } = useArrivals(dialog, isAtEnd, customer);
  useEffect(() => onEndSeen(isEndSeen), [isEndSeen, onEndSeen]);
  const lastOwn = sendings.at(-1)?.key;
  useEffect(() => {
    // What one sends oneself is seen.
    if (lastOwn !== undefined) scrolled.toEnd();
  }, [lastOwn]);

  return (
    <div className={classes.frame}>
      <div
        ref={log}
        className={classes.log}
        role="log"
        aria-live="off"
        aria-label={t('log')}
        aria-busy={state.reading !== null}
        tabIndex={0}
        onScroll={scrolled.onScroll}
      >
        {rows.length === 0 && <EmptyState title={t('empty')} />}
        <div className={classes.lines} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  className={classes.line}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <TimelineLine
                    row={row}
                    isContinued={continues(row, rows[index - 1])}
                    customer={customer}
                    named={named}
                    onAgain={onAgain}
                    onDiscard={({ key: discarded }) => sending.discard(discarded)}
                  />
                </div>
              )
            );
          })}
        </div>
      </div>
      {failedAt !== null && (
        <div className={classes.failed} data-end={failedAt}>
          {t('failedPage')}
          <Button size="compact-sm" variant="default" onClick={scrolled.retry}>
            {common('retry')}
          </Button>
        </div>
      )}
      {!isAtEnd && (
        <Button
          className={classes.chip}
          size="compact-sm"
          radius="xl"
          leftSection={<IconArrowDown size={16} aria-hidden />}
          onClick={scrolled.toEnd}
        >
          {unseen > 0 ? t('newMessages', { count: unseen }) : t('toEnd')}
        </Button>
      )}
      <div className="ll-hidden" aria-live="polite" data-announcement>
        {announcement}
      </div>
    </div>
  );
}

const ANNOUNCED = 200;

/** The messages that came since the dialog was opened: what is said of the last one, and how many are below. */
function useArrivals({ state, sendings }: OpenDialog, isAtEnd: boolean, customer: string) {
  const t = timelineWords.use();
  const { messages, hasNewer } = state;
  const [unseen, setUnseen] = useState(0);
  const [announcement, setAnnouncement] = useState('');
  const known = useRef(new Set(messages.map(({ message }) => message.id)));
  const last = useRef(messages.at(-1)?.message.created_at ?? '');
  useEffect(() => {
    const news = messages.filter(
      ({ message }) => !known.current.has(message.id) && message.created_at >= last.current,
    );
    for (const { message } of messages) known.current.add(message.id);
    last.current = messages.at(-1)?.message.created_at ?? last.current;
    const foreign = news.filter(({ key, message }) => key === message.id);
    const newest = foreign.at(-1)?.message;
    if (!newest || hasNewer) return;
    const values = { name: customer, text: describe(newest, presentLanguage()).slice(0, ANNOUNCED) };
    if (newest.role === 'USER') setAnnouncement(t('newFrom', values));
    else setAnnouncement(newest.role === 'AI' ? t('newFromAgent', values) : t('newFromOther', values));
    if (!isAtEnd) setUnseen((count) => count + foreign.length);
  }, [messages, hasNewer, isAtEnd, customer, sendings, t]);
  useEffect(() => {
    if (isAtEnd) setUnseen(0);
  }, [isAtEnd]);
  return { unseen, announcement };
}
