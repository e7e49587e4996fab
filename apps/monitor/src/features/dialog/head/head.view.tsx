import { type Attention, isOfMessenger } from '@app/contracts/lead.words';
import { CHANNELS_THAT_REQUEST_PHONES } from '@app/contracts/message.words';
import { ActionIcon, Tooltip, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore, useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { readablePhone } from '../../../shared/format/number.format';
import { momentOf } from '../../../shared/format/time.format';
import { leadWords } from '../../../shared/leads/lead.words';
import { noteOf } from '../../../shared/messages/provider-rule.format';
import { providerRuleWords } from '../../../shared/messages/provider-rule.words';
import { useClock } from '../../../shared/ui/clock.hook';
import { usePassedFocus } from '../../../shared/ui/focus.hook';
import { IconCheck, IconCopy, IconLink, IconX, IconBell } from '../../../shared/ui/icons.view';
import { useLive } from '../../../shared/live/live-context';
import { tellDone, tellError } from '../../../shared/notices/notice.store';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { Copying } from '../../../shared/ui/copying.view';
import { commonWords } from '../../../shared/words/common.words';
import { useStages, type OpenDialog, isWindowOpen } from '../dialog.hook';
import classes from './head.module.css';
import { headWords } from './head.words';
import { NameField } from './name-field.view';
import { isolated } from '../../../shared/format/direction.format';
import { channelName } from '../../../shared/leads/lead-names.format';
import { StageMenu, AssigneeMenu } from './head-menus.view';
import type { Card } from '@app/contracts/board-events';

/** Asks a customer who hides the phone for it, where the messenger can and texts can be sent now. */
export function PhoneRequest({ card }: { card: Card }) {
  const t = headWords.use();
  const now = useClock(10_000);
  const [isBusy, setBusy] = useState(false);
  const canAsk = CHANNELS_THAT_REQUEST_PHONES.some((channel) => channel === card.channel.toLowerCase());
  if (!canAsk || card.opted_out || card.erased_at !== null || !isWindowOpen(card, now)) return null;
  const ask = async (): Promise<void> => {
    setBusy(true);
    try {
      const body = { thread_id: card.thread_id, text: t('phoneRequest') };
      await api.post('/api/v1/messages/request-phone', { body });
    } catch (error) {
      tellError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="compact-xs" variant="default" disabled={isBusy} onClick={ask}>
      {t('askForPhone')}
    </Button>
  );
}

interface AttentionBarProps {
  attention: Attention;
  threadId: string;
  onDone: () => void;
}

/** Why a person is asked for, and that one has seen to it. */
export function AttentionBar({ attention, threadId, onDone }: AttentionBarProps) {
  const t = headWords.use();
  const ofLeads = leadWords.use();
  const [isBusy, setBusy] = useState(false);
  const focus = usePassedFocus(() => document.querySelector<HTMLElement>('[data-dialog-of] [role=switch]'));
  const clear = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.post('/api/v1/leads/clear-attention', { body: { thread_id: threadId } });
      onDone();
    } catch (error) {
      tellError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes.attention} data-attention={attention.reason} {...focus}>
      <IconBell size={16} aria-hidden />
      <div className={classes.reason}>
        <strong>{ofLeads(`attention_${attention.reason}`)}</strong>
        <time dateTime={attention.since}>{momentOf(attention.since)}</time>
        <Note attention={attention} />
      </div>
      <Button size="compact-sm" variant="default" disabled={isBusy} onClick={clear}>
        {t('attentionDone')}
      </Button>
    </div>
  );
}

/** What the reason does not say. The message that the messenger refused shows its words itself. */
function Note({ attention }: Pick<AttentionBarProps, 'attention'>) {
  const ofRules = providerRuleWords.use();
  const { said, behind } = noteOf(attention);
  if (said === null || isOfMessenger(attention.reason)) return null;
  return (
    <>
      <CustomerText text={said} component="div" />
      {behind !== null && (
        <details>
          <summary>{ofRules('theirWords')}</summary>
          <CustomerText text={behind} component="div" />
        </details>
      )}
    </>
  );
}

interface Props {
  dialog: OpenDialog;
  card: Card;
  onClose: () => void;
}

/** Who the customer is, where the lead stands, who cares for it, and who else looks. */
export function DialogHead({ dialog, card, onClose }: Props) {
  const t = headWords.use();
  const stages = useStages(card.assistant_id);
  const patch = (fields: Partial<Card>): void => dialog.store.patchCard(card.version, fields);
  return (
    <header className={classes.head}>
      <div className={classes.row}>
        <NameField card={card} onNamed={(name) => patch({ customer_name: name })} />
        <CopyLink threadId={card.thread_id} />
        <Tooltip label={t('close')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('close')} onClick={onClose}>
            <IconX size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes.facts}>
        {card.phone === null ? <PhoneRequest card={card} /> : <Phone phone={card.phone} />}
        {card.customer.username !== null && (
          <CustomerText text={`@${card.customer.username}`} component="span" />
        )}
        <span>{channelName(card.channel)}</span>
      </div>
      <SameCustomer ids={card.same_customer} />
      <div className={classes.row}>
        <StageMenu card={card} stages={stages} />
        <AssigneeMenu card={card} onAssigned={(assignee) => patch({ assignee })} />
      </div>
      <Colleagues threadId={card.thread_id} />
      {card.attention !== null && (
        <AttentionBar
          attention={card.attention}
          threadId={card.thread_id}
          onDone={() => patch({ attention: null })}
        />
      )}
    </header>
  );
}

/** The customer's other dialogs: what silences one silences all. */
function SameCustomer({ ids }: { ids: readonly string[] }) {
  const t = headWords.use();
  if (ids.length === 0) return null;
  return (
    <div className={classes.facts} data-same-customer>
      <Tooltip label={t('sameCustomerHint')} multiline w={280}>
        <span>{t('sameCustomer')}</span>
      </Tooltip>
      {ids.map((threadId, index) => (
        <Link key={threadId} to="/dialogs/$threadId" params={{ threadId }} search>
          {t('otherDialog', { number: index + 1 })}
        </Link>
      ))}
    </div>
  );
}

function Phone({ phone }: { phone: string }) {
  const t = headWords.use();
  const common = commonWords.use();
  return (
    <span className={classes.phone}>
      <CustomerText text={readablePhone(phone)} isPhone />
      <Copying text={phone}>
        {({ isCopied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={isCopied ? common('copied') : t('copyPhone', { phone })}
            onClick={copy}
          >
            {isCopied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        )}
      </Copying>
    </span>
  );
}

function CopyLink({ threadId }: { threadId: string }) {
  const t = headWords.use();
  return (
    <Copying text={`${location.origin}/dialogs/${threadId}`} onCopied={() => void tellDone(t('linkCopied'))}>
      {({ copy }) => (
        <Tooltip label={t('copyLink')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('copyLink')} onClick={copy}>
            <IconLink size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  );
}

/** Who else has the dialog open, and who of them types. */
function Colleagues({ threadId }: { threadId: string }) {
  const t = headWords.use();
  const { user } = useSignedIn();
  const { store } = useLive();
  const view = useSyncExternalStore(
    (listener) => store.subscribeCard(threadId, listener),
    () => store.card(threadId),
  );
  const others = (view?.present ?? []).filter(({ id }) => id !== user.id);
  if (others.length === 0) return null;
  const typing = others.filter((other) => other.typing);
  const shown = typing.length > 0 ? typing : others;
  const names = shown.map(({ name }) => isolated(name)).join(', ');
  const isOne = shown.length === 1;
  const text = t(typing.length > 0 ? (isOne ? 'types' : 'type') : isOne ? 'looks' : 'look', { names });
  return (
    <div className={classes.colleagues} data-presence>
      <CustomerText text={text} component="span" />
    </div>
  );
}
