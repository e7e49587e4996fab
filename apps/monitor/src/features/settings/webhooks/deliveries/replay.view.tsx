import type { WebhookEndpointAnswer } from '@app/client/api-types';
import { ENDPOINT_LIMITS } from '@app/contracts/webhook.words';
import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../../shared/api/page-api';
import { serverNow } from '../../../../shared/format/server-clock';
import { Ask } from '../../../../shared/ui/ask.view';
import { useAct } from '../../parts/forms/act.hook';
import { localInput } from '../../parts/local-time.format';
import { deliveryWords } from './delivery.words';
import { nameOf } from '../endpoint.format';
import { refreshEndpoint } from '../endpoints.query';

const DAY_MS = 86_400_000;
const { replayDays } = ENDPOINT_LIMITS;

/** The button that has an endpoint sent what it has missed in a time, and the question for that time. */
export function Replay({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
  const t = deliveryWords.use();
  const { isBusy, act } = useAct();
  const [isAsked, setAsked] = useState(false);
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const start = new Date(since).getTime();
  const isSince = start <= serverNow() && start > serverNow() - replayDays * DAY_MS;
  const isUntil = until === '' || new Date(until).getTime() > start;
  const open = (): void => {
    setSince(localInput(new Date(serverNow() - DAY_MS).toISOString()));
    setUntil('');
    setAsked(true);
  };
  const replay = async (): Promise<void> => {
    const params = { path: { id: endpoint.id } };
    const body = {
      since: new Date(since).toISOString(),
      ...(until === '' ? {} : { until: new Date(until).toISOString() }),
    };
    const answer = await act(
      () => api.post('/api/v1/admin/webhook-endpoints/{id}/replay', { params, body }),
      ({ queued }) => (queued === 0 ? t('queuedNone') : t('queued', { count: queued })),
    );
    if (!answer) return;
    setAsked(false);
    void refreshEndpoint(endpoint.id);
  };
  return (
    <>
      <Button size="xs" variant="default" disabled={endpoint.disabled} onClick={open}>
        {t('replay')}
      </Button>
      <Ask
        isOpen={isAsked}
        {...{ title: t('replayTitle'), text: t('replayText'), name: nameOf(endpoint), isBusy }}
        action={t('replay')}
        isGrave={false}
        isDisabled={!isSince || !isUntil}
        onAnswer={() => void replay()}
        onClose={() => setAsked(false)}
      >
        <Stack gap="sm">
          <TextInput
            type="datetime-local"
            label={t('since')}
            description={t('sinceHint', { count: replayDays })}
            error={isSince ? undefined : t('sinceWrong', { count: replayDays })}
            data-autofocus
            value={since}
            onChange={(event) => setSince(event.currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label={t('until')}
            description={t('untilHint')}
            error={isUntil ? undefined : t('untilWrong')}
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
        </Stack>
      </Ask>
    </>
  );
}
