import type { WebhookEndpointAnswer } from '@app/client/api-types';
import { Alert, Tabs, Text } from '@mantine/core';
import { dateAndTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { DetailHead } from '../parts/lists/detail-head.view';
import { useSettingsSearch } from '../parts/settings-search.hook';
import { Deliveries } from './deliveries/deliveries.view';
import { nameOf, succeededInWords } from './endpoint.format';
import { EndpointMarks } from './endpoint-marks.view';
import { EndpointSettings } from './endpoint-settings.view';
import { endpointWords } from './endpoint.words';

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
