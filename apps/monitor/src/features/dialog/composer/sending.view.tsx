import { Button, Group } from '@mantine/core';
import { isolated } from '../../../shared/format/direction.format';
import { clockTime } from '../../../shared/format/time.format';
import { useSignedIn } from '../../../shared/session/session.store';
import { explain } from '../../../shared/words/error.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { Delivery } from '../timeline/delivery.view';
import { LinkedText } from '../timeline/linked-text.view';
import { MediaFile } from '../timeline/media.view';
import classes from '../timeline/message.module.css';
import type { Sending } from './sending.store';
import { timelineWords } from '../timeline/timeline.words';

interface Props {
  sending: Sending;
  /** The line above is by the same. */
  isContinued: boolean;
  onAgain: (sending: Sending) => void;
  onDiscard: (sending: Sending) => void;
}

/** What was sent and is not a message yet. It stands where the message will. */
export function SendingView({ sending, isContinued, onAgain, onDiscard }: Props) {
  const t = timelineWords.use();
  const { user } = useSignedIn();
  const { key, kind, text, media, at, state, error } = sending;
  return (
    <article
      className={classes.message}
      data-sending={key}
      data-role="OPERATOR"
      data-status={state === 'failed' ? 'failed' : 'sending'}
      data-side={kind === 'note' ? 'middle' : 'end'}
      data-continued={isContinued || undefined}
    >
      <div className={isContinued ? 'll-hidden' : classes.head}>
        <CustomerText text={kind === 'note' ? t('noteOf', { name: isolated(user.name) }) : user.name} />
      </div>
      {media && <MediaFile media={media} />}
      <div className={classes.said}>
        {text !== '' && <LinkedText text={text} />}
        <div className={classes.foot}>
          <time dateTime={at}>{clockTime(at)}</time>
          <Delivery status={state === 'failed' ? 'failed' : 'sending'} />
        </div>
      </div>
      {state === 'checking' && <div className={classes.failure}>{t('checking')}</div>}
      {state === 'failed' && (
        <div className={classes.failure}>
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
