import type { WebhookEndpointAnswer } from '@app/client/api-types';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ALL_EVENTS } from '@app/contracts/webhook.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { EntryList } from '../parts/lists/entry-list.view';
import { ListDetail } from '../parts/lists/list-detail.view';
import { NewButton } from '../parts/lists/new-button.view';
import { NEW, useOpenEntry } from '../parts/lists/open-entry.hook';
import { ShownOnce } from '../parts/shown-once.view';
import { settingsWords } from '../settings.words';
import { EndpointDetail } from './endpoint-detail.view';
import { nameOf, succeededInWords } from './endpoint.format';
import { EndpointMarks } from './endpoint-marks.view';
import { endpointWords } from './endpoint.words';
import { endpointsQuery, refreshEndpoint } from './endpoints.query';
import { NewEndpoint } from './new-endpoint.view';
import { Rejects } from './rejects.view';

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
