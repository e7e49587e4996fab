import { NOTE } from '@app/contracts/message.words';
import { Loader, Button, Group } from '@mantine/core';
import { memo } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { useSignedIn } from '../../../shared/session/session.store';
import { useClock } from '../../../shared/ui/clock.hook';
import { dayKey, dayName, clockTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { ErrorBoundary } from '../../../shared/ui/states.view';
import { explain } from '../../../shared/words/error.words';
import { HistoryEntry } from './history-entry.view';
import { LinkedText } from './linked-text.view';
import { MediaFile } from './media.view';
import messageClasses from './message.module.css';
import { MessageView, Delivery } from './message.view';
import type { Sending } from '../composer/sending.store';
import type { TimelineRow } from './timeline-rows';
import classes from './timeline.module.css';
import { timelineWords } from './timeline.words';

/** A line of the log: of the dialog itself, of what is on its way, or that the agent writes. */
export type LogRow =
  | TimelineRow
  | { key: string; kind: 'sending'; sending: Sending }
  | { key: string; kind: 'typing' };

/** Says more than who wrote it, so its head always stands. */
const HEADED: ReadonlySet<string> = new Set([NOTE, 'template', 'reaction']);

/** Whether a line goes on with what its writer said in the line above. */
export function continues(row: LogRow, above: LogRow | undefined): boolean {
  const writer = writerOf(row);
  return writer !== null && above !== undefined && writerOf(above) === writer;
}

/** Null: the line is no plain message. */
function writerOf(row: LogRow): string | null {
  if (row.kind === 'message')
    return HEADED.has(row.message.type) ? null : (row.message.author?.id ?? row.message.role);
  if (row.kind === 'sending') return row.sending.kind === 'note' ? null : (row.sending.by ?? 'OPERATOR');
  return null;
}

interface SendingViewProps {
  sending: Sending;
  /** The line above is by the same. */
  isContinued: boolean;
  onAgain: (sending: Sending) => void;
  onDiscard: (sending: Sending) => void;
}

/** What was sent and is not a message yet. It stands where the message will. */
function SendingView({ sending, isContinued, onAgain, onDiscard }: SendingViewProps) {
  const t = timelineWords.use();
  const { user } = useSignedIn();
  const { key, kind, text, media, at, state, error } = sending;
  return (
    <article
      className={messageClasses.message}
      data-sending={key}
      data-role="OPERATOR"
      data-status={state === 'failed' ? 'failed' : 'sending'}
      data-side={kind === 'note' ? 'middle' : 'end'}
      data-continued={isContinued || undefined}
    >
      <div className={isContinued ? 'll-hidden' : messageClasses.head}>
        <CustomerText text={kind === 'note' ? t('noteOf', { name: isolated(user.name) }) : user.name} />
      </div>
      {media && <MediaFile media={media} />}
      <div className={messageClasses.said}>
        {text !== '' && <LinkedText text={text} />}
        <div className={messageClasses.foot}>
          <time dateTime={at}>{clockTime(at)}</time>
          <Delivery status={state === 'failed' ? 'failed' : 'sending'} />
        </div>
      </div>
      {state === 'checking' && <div className={messageClasses.failure}>{t('checking')}</div>}
      {state === 'failed' && (
        <div className={messageClasses.failure}>
          <strong>{t('notSent')}</strong>
          <CustomerText text={explain(error)} component="div" />
          <Group gap={8} mt={4}>
            <Button size="compact-sm" variant="default" onClick={() => onAgain(sending)}>
              {t('again')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => onDiscard(sending)}>
              {t('discard')}
            </Button>
          </Group>
        </div>
      )}
    </article>
  );
}

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
