import type { ListedMessage } from '@app/client/message.store';
import { NOTE, type QuotedMessage } from '@app/contracts/message.words';
import { Button, Group } from '@mantine/core';
import { memo, useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { isolated } from '../../../shared/format/direction.format';
import { clockTime } from '../../../shared/format/time.format';
import { providerRule } from '../../../shared/messages/provider-rule.format';
import { providerRuleWords } from '../../../shared/messages/provider-rule.words';
import { tellError } from '../../../shared/notices/notice.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { usePassedFocus } from '../../../shared/ui/focus.hook';
import {
  IconAlertCircle,
  IconBan,
  IconCheck,
  IconChecks,
  IconClock,
  IconHelp,
} from '../../../shared/ui/icons.view';
import { presentLanguage } from '../../../shared/words/language.store';
import { AdOrPost, Content } from './content.view';
import { LinkedText } from './linked-text.view';
import { MediaFile } from './media.view';
import classes from './message.module.css';
import { timelineWords } from './timeline.words';

interface QuoteProps {
  quoted: QuotedMessage;
  customer: string;
}

/** The message to which another one replies. */
function Quote({ quoted: { role, text: english, lines }, customer }: QuoteProps) {
  const t = timelineWords.use();
  const text = lines?.[presentLanguage()] ?? english;
  return (
    <blockquote className={classes.quote}>
      <div className={classes.head}>
        {t('replyTo')} <CustomerText text={role === 'USER' ? customer : t(`role_${role}`)} />
      </div>
      {text === '' ? t('quotedWithoutText') : <CustomerText text={text} />}
    </blockquote>
  );
}

/** By which rule a message did not go out, the provider's words behind it; of an unknown one, what the person may say. */
function MessageFailure({ message }: { message: ListedMessage }) {
  const t = timelineWords.use();
  const { status, error } = message;
  const ofRules = providerRuleWords.use();
  if (status !== 'failed' && status !== 'unknown' && status !== 'dropped') return null;
  const rule = status === 'failed' && error ? providerRule(error) : null;
  return (
    <div className={classes.failure}>
      <strong>{status === 'failed' ? t('notSent') : t(status)}</strong>
      {rule !== null && <div>{rule}</div>}
      {error && rule === null && <CustomerText text={error.message} component="div" />}
      {error && rule !== null && (
        <details>
          <summary>{ofRules('theirWords')}</summary>
          <CustomerText text={error.message} component="div" />
        </details>
      )}
      {status === 'unknown' && <Settling id={message.id} />}
    </div>
  );
}

function Settling({ id }: { id: string }) {
  const t = timelineWords.use();
  const [isBusy, setBusy] = useState(false);
  const focus = usePassedFocus(() => document.querySelector<HTMLElement>('[data-dialog-of] [role=log]'));
  const settle = async (outcome: 'sent' | 'failed'): Promise<void> => {
    setBusy(true);
    try {
      // Its event shows it.
      await api.post('/api/v1/messages/settle-message', { body: { id, outcome } });
    } catch (error) {
      tellError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <div>{t('unknownHelp')}</div>
      <Group gap={8} mt={4} {...focus}>
        <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => settle('sent')}>
          {t('settleSent')}
        </Button>
        <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => settle('failed')}>
          {t('settleFailed')}
        </Button>
      </Group>
    </>
  );
}

const ICONS = {
  queued: IconClock,
  sending: IconClock,
  unknown: IconHelp,
  sent: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertCircle,
  dropped: IconBan,
};

/** How far a message of ours has come, as a sign and in words. */
export function Delivery({ status }: { status: ListedMessage['status'] }) {
  const t = timelineWords.use();
  if (status === 'received') return null;
  const Icon = ICONS[status];
  return (
    <span className={classes.delivery} data-delivery={status} title={t(status)}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span className="ll-hidden">{t(status)}</span>
    </span>
  );
}

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
