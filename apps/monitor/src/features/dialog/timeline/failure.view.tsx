import type { ListedMessage } from '@app/client/message.store';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { tellError } from '../../../shared/notices/notice.store';
import { providerRule } from '../../../shared/messages/provider-rule.format';
import { providerRuleWords } from '../../../shared/messages/provider-rule.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { usePassedFocus } from '../../../shared/ui/focus.hook';
import classes from './message.module.css';
import { timelineWords } from './timeline.words';

/** By which rule a message did not go out, the provider's words behind it; of an unknown one, what the person may say. */
export function MessageFailure({ message }: { message: ListedMessage }) {
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
