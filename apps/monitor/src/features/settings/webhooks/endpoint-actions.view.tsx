import type { RotatedWebhookSecretAnswer, WebhookEndpointAnswer } from '@app/client/api-types';
import { OVERLAP_HOURS, OVERLAP_HOURS_MAX } from '@app/contracts/webhook.words';
import { Button, Group, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { dateAndTime } from '../../../shared/format/time.format';
import { Ask } from '../../../shared/ui/ask.view';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { useAct } from '../parts/forms/act.hook';
import { useOpenEntry } from '../parts/lists/open-entry.hook';
import { ShownOnce } from '../parts/shown-once.view';
import { nameOf } from './endpoint.format';
import { endpointWords } from './endpoint.words';
import { refreshEndpoint } from './endpoints.query';

/** A new secret for an endpoint; switching it off and on; its end. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
  const t = endpointWords.use();
  const { isBusy, act } = useAct();
  const { reopen } = useOpenEntry();
  const [asked, setAsked] = useState<'rotate' | 'disable' | 'delete' | null>(null);
  const [overlap, setOverlap] = useState<number | string>(OVERLAP_HOURS);
  const [fresh, setFresh] = useState<RotatedWebhookSecretAnswer | null>(null);
  const params = { path: { id: endpoint.id } };
  const hours = Number(overlap);
  const isOverlap = overlap !== '' && hours >= 0 && hours <= OVERLAP_HOURS_MAX;
  const about = { name: nameOf(endpoint), isBusy, onClose: () => setAsked(null) };
  const rotate = async (): Promise<void> => {
    const body = { overlap_hours: hours };
    const rotated = await act(
      () => confirmed(() => api.post('/api/v1/admin/webhook-endpoints/{id}/rotate-secret', { params, body })),
      t('rotated'),
    );
    if (!rotated) return;
    setAsked(null);
    setFresh(rotated);
  };
  const setDisabled = async (disabled: boolean): Promise<void> => {
    const changed = await act(
      () =>
        confirmed(() => api.patch('/api/v1/admin/webhook-endpoints/{id}', { params, body: { disabled } })),
      disabled ? t('disabledDone') : t('enabledDone'),
    );
    if (!changed) return;
    setAsked(null);
    void refreshEndpoint(endpoint.id);
  };
  const remove = async (): Promise<void> => {
    const removed = await act(
      () => api.delete('/api/v1/admin/webhook-endpoints/{id}', { params }),
      t('deletedDone'),
    );
    if (!removed) return;
    setAsked(null);
    reopen(undefined);
    void refreshEndpoint(endpoint.id);
  };
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setAsked('rotate')}>
        {t('rotate')}
      </Button>
      {endpoint.disabled ? (
        <Button variant="default" loading={isBusy} onClick={() => void setDisabled(false)}>
          {t('enable')}
        </Button>
      ) : (
        <Button variant="default" onClick={() => setAsked('disable')}>
          {t('disable')}
        </Button>
      )}
      <Button variant="default" c="var(--ll-danger)" onClick={() => setAsked('delete')}>
        {t('delete')}
      </Button>
      <Ask
        isOpen={asked === 'rotate'}
        {...{ ...about, title: t('rotateTitle'), text: t('rotateText'), action: t('rotate') }}
        isGrave={false}
        isDisabled={!isOverlap}
        onAnswer={() => void rotate()}
      >
        <NumberInput
          label={t('overlap')}
          description={t('overlapHint', { most: OVERLAP_HOURS_MAX })}
          {...{
            min: 0,
            max: OVERLAP_HOURS_MAX,
            allowDecimal: false,
            clampBehavior: 'none',
            hideControls: true,
          }}
          error={isOverlap ? undefined : t('overlapHint', { most: OVERLAP_HOURS_MAX })}
          data-autofocus
          value={overlap}
          onChange={setOverlap}
        />
      </Ask>
      <Ask
        isOpen={asked === 'disable'}
        {...{ ...about, title: t('disableTitle'), text: t('disableText'), action: t('disable') }}
        onAnswer={() => void setDisabled(true)}
      />
      <Ask
        isOpen={asked === 'delete'}
        {...{ ...about, title: t('deleteTitle'), text: t('deleteText'), action: t('delete') }}
        onAnswer={() => void remove()}
      />
      <ShownOnce
        secret={fresh?.secret ?? null}
        {...{ title: t('secretTitle'), text: t('secretText'), label: t('secretLabel') }}
        further={fresh ? endOf(fresh) : undefined}
        onClose={() => setFresh(null)}
      />
    </Group>
  );
}

/** Until when the former secret signs. */
const endOf = ({ old_secret_expires_at: at }: RotatedWebhookSecretAnswer): string =>
  at === null ? endpointWords.say('oldEnded') : endpointWords.say('oldUntil', { at: dateAndTime(at) });
