import type { WebhookEndpointAnswer, NewWebhookEndpointAnswer } from '@app/client/api-types';
import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ALL_EVENTS } from '@app/contracts/webhook.words';
import { api } from '../../../shared/api/page-api';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { EntryList, NewButton } from '../parts/lists/entry-list.view';
import { ListDetail, DetailHead } from '../parts/lists/list-detail.view';
import { NEW, useOpenEntry } from '../parts/settings-search.hook';
import { ShownOnce } from '../parts/shown-once.view';
import { settingsWords } from '../settings.words';
import { EndpointDetail, EndpointMarks } from './endpoint-detail.view';
import { EndpointFields } from './endpoint-fields.view';
import { nameOf, succeededInWords, fieldOf, NEW_ENDPOINT, newOf, RULES } from './endpoint-form.format';
import { endpointWords } from './endpoint.words';
import { endpointsQuery, refreshEndpoint } from './endpoints.query';
import { Rejects } from './rejects.view';

/** The form of a new endpoint. @param onMade is told its secret, which the server tells once */
function NewEndpoint({ onMade }: { onMade: (made: NewWebhookEndpointAnswer) => void }) {
  const t = endpointWords.use();
  const form = useForm({ initialValues: NEW_ENDPOINT, validate: RULES });
  const { isBusy, formRef, save } = useSave(form, fieldOf);
  const submit = async (): Promise<void> => {
    const body = newOf(form.getValues());
    const made = await save(
      () => confirmed(() => api.post('/api/v1/admin/webhook-endpoints', { body })),
      t('made'),
    );
    if (made) onMade(made);
  };
  return (
    <>
      <DetailHead name={t('new')} />
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
          <SaveBar isDirty={false} isBusy={isBusy} label={t('make')} />
        </Stack>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}

/** `/settings/webhooks`: endpoints, to which events go; and what came in and could not be taken in. */
export function WebhooksPage() {
  const t = endpointWords.use();
  const settings = settingsWords.use();
  const endpoints = useQuery(endpointsQuery);
  const { id, open, reopen, close } = useOpenEntry();
  const [secret, setSecret] = useState<string | null>(null);
  const shown = endpoints.data?.find((endpoint) => endpoint.id === id);
  const list = (
    <Stack gap="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('intro')}
        </Text>
        {endpoints.data ? (
          endpoints.data.length === 0 ? (
            <EmptyState title={t('none')} hint={t('noneHint')} />
          ) : (
            <EntryList
              label={t('title')}
              entries={endpoints.data.map(entryOf)}
              openId={id}
              search={(next) => ({ id: next })}
            />
          )
        ) : endpoints.isError ? (
          <ErrorState error={endpoints.error} onRetry={() => void endpoints.refetch()} />
        ) : (
          <LoadingState />
        )}
      </Stack>
      {id === undefined && <Rejects />}
    </Stack>
  );
  const detail =
    id === undefined ? null : id === NEW ? (
      <NewEndpoint
        onMade={(made) => {
          setSecret(made.secret);
          void refreshEndpoint(made.id).then(() => reopen(made.id));
        }}
      />
    ) : shown ? (
      <EndpointDetail key={id} endpoint={shown} />
    ) : endpoints.isSuccess ? (
      <EmptyState title={settings('gone')} />
    ) : null;
  return (
    <>
      <ListDetail
        title={t('title')}
        action={<NewButton label={t('new')} onClick={() => open(NEW)} />}
        list={list}
        detail={detail}
        onBack={close}
      />
      <ShownOnce
        secret={secret}
        {...{ title: t('secretTitle'), text: t('secretText'), label: t('secretLabel') }}
        onClose={() => setSecret(null)}
      />
    </>
  );
}

function entryOf(endpoint: WebhookEndpointAnswer) {
  const t = endpointWords.say;
  const { id, url, description, events } = endpoint;
  const takes = events.includes(ALL_EVENTS) ? t('allEvents') : t('someEvents', { count: events.length });
  return {
    ...{ id, name: nameOf(endpoint) },
    detail: (
      <>
        {description !== '' && (
          <>
            <CustomerText text={url} /> ·{' '}
          </>
        )}
        {takes} · {succeededInWords(endpoint)}
      </>
    ),
    mark: <EndpointMarks endpoint={endpoint} />,
  };
}
