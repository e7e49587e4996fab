import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readableJson } from '../../../../shared/format/direction.format';
import { ErrorState, LoadingState } from '../../../../shared/ui/states.view';
import { CopiedText } from '../../parts/copied-text.view';
import { deliveryWords } from './delivery.words';
import { deliveryQuery } from '../endpoints.query';

interface Props {
  endpointId: string;
  deliveryId: string;
}

/** What is sent for a delivery: address, headers, body. It is asked for when it is opened, for it may hold a customer's words. */
export function DeliveryRequest(props: Props) {
  const t = deliveryWords.use();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('request')}</summary>
      {isOpen && <Request {...props} />}
    </details>
  );
}

function Request({ endpointId, deliveryId }: Props) {
  const t = deliveryWords.use();
  const shown = useQuery(deliveryQuery(endpointId, deliveryId));
  if (shown.isPending) return <LoadingState />;
  if (shown.isError) return <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />;
  const { url, headers, body } = shown.data.request;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Stack gap="xs" my={4}>
      <Text size="sm" c="dimmed">
        {t('requestHint')}
      </Text>
      <CopiedText label={t('head')} text={[`POST ${url}`, ...lines].join('\n')} />
      {body === null ? (
        <Text size="sm">{t('noBody')}</Text>
      ) : (
        <CopiedText label={t('body')} text={body} shown={readableJson(JSON.parse(body))} />
      )}
    </Stack>
  );
}
