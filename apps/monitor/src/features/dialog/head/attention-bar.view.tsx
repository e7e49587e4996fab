import { Button } from '@mantine/core';
import { type Attention, isOfMessenger } from '@app/contracts/lead.words';
import { useState } from 'react';
import { IconBell } from '../../../shared/ui/icons.view';
import { api } from '../../../shared/api/page-api';
import { momentOf } from '../../../shared/format/time.format';
import { leadWords } from '../../../shared/leads/lead.words';
import { noteOf } from '../../../shared/messages/provider-rule.format';
import { providerRuleWords } from '../../../shared/messages/provider-rule.words';
import { tellError } from '../../../shared/notices/notice.store';
import { usePassedFocus } from '../../../shared/ui/passed-focus.hook';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from './head.module.css';
import { headWords } from './head.words';

interface Props {
  attention: Attention;
  threadId: string;
  onDone: () => void;
}

/** Why a person is asked for, and that one has seen to it. */
export function AttentionBar({ attention, threadId, onDone }: Props) {
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
function Note({ attention }: Pick<Props, 'attention'>) {
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
