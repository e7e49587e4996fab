import { ActionIcon, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { readablePhone } from '../../../shared/format/number.format';
import { IconCheck, IconCopy, IconLink, IconX } from '../../../shared/ui/icons.view';
import { useLive } from '../../../shared/live/live-context';
import { tellDone } from '../../../shared/notices/notice.store';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { Copying } from '../../../shared/ui/copying.view';
import { commonWords } from '../../../shared/words/common.words';
import { AssigneeMenu } from './assignee-menu.view';
import { AttentionBar } from './attention-bar.view';
import { useStages, type OpenDialog } from '../dialog.hook';
import classes from './head.module.css';
import { headWords } from './head.words';
import { NameField } from './name-field.view';
import { isolated } from '../../../shared/format/direction.format';
import { channelName } from '../../../shared/leads/lead-names.format';
import { PhoneRequest } from '../composer/phone-request.view';
import { StageMenu } from './stage-menu.view';
import type { Card } from '@app/contracts/board-events';

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
