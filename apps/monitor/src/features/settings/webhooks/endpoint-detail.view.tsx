import type { WebhookEndpointAnswer, RotatedWebhookSecretAnswer } from '@app/client/api-types';
import { OVERLAP_HOURS, OVERLAP_HOURS_MAX, ENDPOINT_LIMITS } from '@app/contracts/webhook.words';
import { Alert, Tabs, Text, Stack, Button, Group, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { wholeNumber } from '../../../shared/format/number.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { Ask } from '../../../shared/ui/ask.view';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useEntryForm, useAct } from '../parts/forms/save.hook';
import { Mark } from '../parts/lists/entry-list.view';
import { DetailHead } from '../parts/lists/list-detail.view';
import { useSettingsSearch, useOpenEntry } from '../parts/settings-search.hook';
import { ShownOnce } from '../parts/shown-once.view';
import { Deliveries } from './deliveries/deliveries.view';
import { EndpointFields } from './endpoint-fields.view';
import { changeOf, fieldOf, formOf, RULES, nameOf, succeededInWords } from './endpoint-form.format';
import { endpointWords } from './endpoint.words';
import { refreshEndpoint } from './endpoints.query';

/** What is not as usual with an endpoint: it is disabled, attempts fail, deliveries wait. */
export function EndpointMarks({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
  const t = endpointWords.use();
  const { disabled, failures_in_a_row: failures, pending } = endpoint;
  return (
    <>
      {disabled && <Mark tone="bad" text={t('disabled')} />}
      {failures > 0 && <Mark tone="bad" text={t('failures', { count: failures })} />}
      {pending > 0 && (
        <Mark
          tone={failures > 0 ? 'waiting' : 'plain'}
          text={
            pending >= ENDPOINT_LIMITS.pendingCounted
              ? t('pendingMany', { count: wholeNumber(pending) })
              : t('pending', { count: pending })
          }
        />
      )}
    </>
  );
}

/** A new secret for an endpoint; switching it off and on; its end. */
function EndpointActions({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
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

/** What an endpoint takes, its secret, and its end. */
function EndpointSettings({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
  const t = endpointWords.use();
  const { form, settle, isBusy, formRef, save } = useEntryForm({
    ...{ values: formOf(endpoint), validate: RULES, toField: fieldOf },
  });
  const submit = async (): Promise<void> => {
    // By what the form began with: what somebody else has changed since stays.
    const body = changeOf(form.getValues(), form.getInitialValues());
    if (Object.keys(body).length === 0) return;
    const params = { path: { id: endpoint.id } };
    const saved = await save(
      () => confirmed(() => api.patch('/api/v1/admin/webhook-endpoints/{id}', { params, body })),
      t('saved'),
    );
    if (!saved) return;
    settle(formOf(saved));
    void refreshEndpoint(endpoint.id);
  };
  return (
    <>
      <form
        noValidate
        ref={formRef}
        onSubmit={form.onSubmit(
          () => void submit(),
          () => focusFirstError(formRef.current),
        )}
      >
        <Stack gap={0} maw={640}>
          <EndpointFields form={form} />
          <SaveBar isDirty={form.isDirty()} isBusy={isBusy} onDiscard={form.reset}>
            <EndpointActions endpoint={endpoint} />
          </SaveBar>
        </Stack>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}

/** An endpoint: how it fares, what was sent there, and its settings. */
export function EndpointDetail({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
  const t = endpointWords.use();
  const [{ tab = 'deliveries' }, change] = useSettingsSearch();
  const { disabled_at: since, disabled_reason: reason } = endpoint;
  return (
    <>
      <DetailHead name={nameOf(endpoint)}>
        <EndpointMarks endpoint={endpoint} />
      </DetailHead>
      <Text size="sm" c="dimmed" mb="sm">
        {endpoint.description !== '' && (
          <>
            <CustomerText text={endpoint.url} /> ·{' '}
          </>
        )}
        {succeededInWords(endpoint)}
      </Text>
      {since !== null && (
        <Alert color={reason === 'admin' ? 'gray' : 'red'} mb="sm" maw={640}>
          {reason === 'admin'
            ? t('disabledSince', { at: dateAndTime(since) })
            : t('disabledByService', { at: dateAndTime(since) })}{' '}
          {reason !== null && t(`reason_${reason}`)} {t('enableHint')}
        </Alert>
      )}
      <Tabs
        value={tab}
        onChange={(next) =>
          change({ tab: next === 'deliveries' ? undefined : (next ?? undefined), state: undefined })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="deliveries">{t('tabDeliveries')}</Tabs.Tab>
          <Tabs.Tab value="settings">{t('tabSettings')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          {tab === 'deliveries' && <Deliveries endpoint={endpoint} />}
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          {tab === 'settings' && <EndpointSettings endpoint={endpoint} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
