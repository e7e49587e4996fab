import type { ListedMessage } from '@app/client/message.store';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../shared/api/page.api';
import { tellError } from '../../shared/notices/notice.store';
import { usePassedFocus } from '../../shared/ui/passed-focus.hook';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { failureHelp } from './failure.format';
import classes from './message.module.css';
import { timelineWords } from './timeline.words';

/** Why a message did not go out, in the provider's words, and what helps; of an unknown one, what the person may say. */
export function MessageFailure({ message }: { message: ListedMessage }) {
  const t = timelineWords.use();
  const { status, error } = message;
  if (status !== 'failed' && status !== 'unknown' && status !== 'dropped') return null;
  const help = status === 'failed' && error ? failureHelp(error) : null;
  return (
    <div className={classes.failure}>
      <strong>{status === 'failed' ? t('notSent') : t(status)}</strong>
      {error && <CustomerText text={error.message} component="div" />}
      {help && <div>{t(`help_${help}`)}</div>}
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
