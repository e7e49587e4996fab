import { Button } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import { CHANNELS_THAT_REQUEST_PHONES } from '@app/contracts/message.words';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { tellError } from '../../../shared/notices/notice.store';
import { useClock } from '../../../shared/ui/clock.hook';
import { headWords } from '../head/head.words';
import { isWindowOpen } from './window-state';

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
