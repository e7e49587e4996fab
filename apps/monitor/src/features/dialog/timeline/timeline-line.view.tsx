import { Loader } from '@mantine/core';
import { memo } from 'react';
import { useClock } from '../../../shared/ui/clock.hook';
import { dayKey, dayName } from '../../../shared/format/time.format';
import { ErrorBoundary } from '../../../shared/ui/states.view';
import { HistoryEntry } from './history-entry.view';
import { MessageView } from './message.view';
import { SendingView } from '../composer/sending.view';
import type { Sending } from '../composer/sending.store';
import classes from './timeline.module.css';
import type { LogRow } from './log-rows';
import { timelineWords } from './timeline.words';

interface Props {
  row: LogRow;
  /** The line above is by the same. */
  isContinued: boolean;
  customer: string;
  named: string | null;
  onAgain: (sending: Sending) => void;
  onDiscard: (sending: Sending) => void;
}

/** One line of the log. An odd one takes no other down. */
export function TimelineLine({ row, ...further }: Props) {
  const t = timelineWords.use();
  return (
    <ErrorBoundary resetKey={row} instead={<p className={classes.broken}>{t('broken')}</p>}>
      <Line row={row} {...further} />
    </ErrorBoundary>
  );
}

function Line({ row, isContinued, customer, named, onAgain, onDiscard }: Props) {
  const t = timelineWords.use();
  switch (row.kind) {
    case 'day':
      return <Day at={row.at} />;
    case 'unread':
      return <div className={classes.unread}>{t('unread')}</div>;
    case 'history':
      return <HistoryEntry entry={row.entry} />;
    case 'message':
      return (
        <MessageView
          {...{ customer, isContinued }}
          message={row.message}
          isNamed={row.message.id === named}
        />
      );
    case 'sending':
      return (
        <SendingView
          sending={row.sending}
          isContinued={isContinued}
          onAgain={onAgain}
          onDiscard={onDiscard}
        />
      );
    case 'typing':
      return (
        <div className={classes.typing} data-agent-typing>
          <Loader type="dots" size={20} aria-hidden /> {t('typing')}
        </div>
      );
  }
}

const DAY_MS = 24 * 3_600_000;

const Day = memo(function Day({ at }: { at: string }) {
  const t = timelineWords.use();
  const now = useClock(60_000);
  const key = dayKey(at);
  const isToday = key === dayKey(new Date(now));
  const isYesterday = key === dayKey(new Date(now - DAY_MS));
  return (
    <div className={classes.day}>
      <time dateTime={key}>
        {isToday ? t('today') : isYesterday ? t('yesterday') : dayName(at, new Date(now))}
      </time>
    </div>
  );
});
