import type { ListedMessage } from '@app/client/message.store';
import { NOTE } from '@app/contracts/message.words';
import { memo } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { clockTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { AdOrPost, Content } from './content.view';
import { Delivery } from './delivery.view';
import { MessageFailure } from './failure.view';
import { LinkedText } from './linked-text.view';
import { MediaFile } from './media.view';
import classes from './message.module.css';
import { Quote } from '../composer/quote.view';
import { timelineWords } from './timeline.words';

/** Only an erasure leaves these without any. */
const ALWAYS_WORDS = new Set(['text', 'template', NOTE]);

interface Props {
  message: ListedMessage;
  customer: string;
  /** It is the one that the address names. */
  isNamed: boolean;
  /** The line above is by the same: whose it is need not be said again. */
  isContinued: boolean;
}

/** One message: who wrote it, what, when, and what became of it. */
export const MessageView = memo(function MessageView({ message, customer, isNamed, isContinued }: Props) {
  const t = timelineWords.use();
  const { id, role, type, text, status, media, created_at: at, quoted, content, referral } = message;
  const isDeleted = message.deleted_at !== null;
  const isNote = type === NOTE;
  const author = role === 'USER' ? customer : (message.author?.name ?? t(`role_${role}`));
  return (
    <article
      id={`message-${id}`}
      className={classes.message}
      data-message-id={id}
      data-role={role}
      data-status={status}
      data-type={type}
      data-deleted={isDeleted || undefined}
      data-side={isNote ? 'middle' : role === 'USER' ? 'start' : 'end'}
      data-named={isNamed || undefined}
      data-continued={isContinued || undefined}
    >
      <div className={isContinued ? 'll-hidden' : classes.head}>
        {isNote ? <NoteHead author={message.author} /> : <CustomerText text={author} />}
        {type === 'template' && ` · ${t('template')}`}
        {type === 'reaction' && !isDeleted && ` · ${text ? t('reaction') : t('reactionRemoved')}`}
      </div>
      {referral && <AdOrPost referral={referral} />}
      {quoted && <Quote quoted={quoted} customer={customer} />}
      {content && <Content content={content} />}
      {media && <MediaFile media={media} />}
      <div className={classes.said}>
        {text !== '' && <LinkedText text={text} />}
        {isDeleted && <div className={classes.odd}>{t('deleted')}</div>}
        {text === '' && !media && !content && !isDeleted && type !== 'reaction' && (
          <div className={classes.odd}>
            {ALWAYS_WORDS.has(type) ? t('erasedText') : t('unsupported', { type: kindName(t, type) })}
          </div>
        )}
        <div className={classes.foot}>
          {message.edited_at !== null && !isDeleted && <span>{t('edited')}</span>}
          <time dateTime={at}>{clockTime(at)}</time>
          {!isNote && role !== 'USER' && <Delivery status={status} />}
        </div>
      </div>
      <MessageFailure message={message} />
    </article>
  );
});

function NoteHead({ author }: Pick<ListedMessage, 'author'>) {
  const t = timelineWords.use();
  if (author === null) return t('note');
  return <CustomerText text={t('noteOf', { name: isolated(author.name) })} />;
}

/** Kinds of messages that are not shown and have names of their own. */
const KINDS = ['location', 'contacts', 'order', 'interactive', 'edit', 'revoke', 'unsupported'] as const;

function kindName(t: typeof timelineWords.say, type: string): string {
  const kind = KINDS.find((each) => each === type);
  return kind === undefined ? type : t(`kind_${kind}`);
}
