import type { WebhookDeliveryAnswer, WebhookEndpointAnswer } from '@app/client/api-types';
import { DELIVERY_STATES, type DeliveryState } from '@app/contracts/webhook.words';
import { Button, Center, Group, NativeSelect, Stack, Text, Alert } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../shared/api/page-api';
import { wholeNumber } from '../../../../shared/format/number.format';
import { EmptyState, ErrorState, LoadingState } from '../../../../shared/ui/states.view';
import { commonWords } from '../../../../shared/words/common.words';
import { useAct } from '../../parts/forms/act.hook';
import { useSettingsSearch } from '../../parts/settings-search.hook';
import { FaultOfAttempt } from './attempt-fault.view';
import { Delivery } from './delivery.view';
import { deliveryWords } from './delivery.words';
import { deliveriesQuery, refreshEndpoint } from '../endpoints.query';
import { Replay } from './replay.view';
import classes from '../webhooks.module.css';

/** What became of a test: the answer to it, or why none came. */
function TestResult({ tested: { state, attempts } }: { tested: WebhookDeliveryAnswer }) {
  const t = deliveryWords.use();
  const attempt = attempts.at(-1);
  if (!attempt) return null;
  const { status } = attempt;
  const ms = wholeNumber(attempt.ms);
  const unanswered = (
    <>
      {t('testUnanswered', { ms })} <FaultOfAttempt attempt={attempt} />
    </>
  );
  return (
    <Alert color={state === 'delivered' ? 'teal' : 'red'}>
      {status === null ? unanswered : t(state === 'delivered' ? 'testPassed' : 'testRefused', { ms, status })}
    </Alert>
  );
}

/** What was sent to an endpoint and is to be sent; a test; what was missed. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
  const t = deliveryWords.use();
  const common = commonWords.use();
  const [search, change] = useSettingsSearch();
  const state = DELIVERY_STATES.find((one) => one === search.state);
  const { isBusy, act } = useAct();
  const [tested, setTested] = useState<WebhookDeliveryAnswer | null>(null);
  const deliveries = useInfiniteQuery(deliveriesQuery(endpoint.id, state));
  const all = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const test = async (): Promise<void> => {
    setTested(null);
    const params = { path: { id: endpoint.id } };
    setTested(await act(() => api.post('/api/v1/admin/webhook-endpoints/{id}/test', { params, body: {} })));
    void refreshEndpoint(endpoint.id);
  };
  return (
    <Stack gap="sm" maw="60rem">
      <Group gap="xs" align="end">
        <NativeSelect
          size="xs"
          label={t('state')}
          data={[
            { value: '', label: common('all') },
            ...DELIVERY_STATES.map((value) => ({ value, label: t(value) })),
          ]}
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) => change({ state: value === '' ? undefined : value })}
        />
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          disabled={endpoint.disabled}
          onClick={() => void test()}
        >
          {t('test')}
        </Button>
        <Replay endpoint={endpoint} />
      </Group>
      <div role="status">{tested && <TestResult tested={tested} />}</div>
      {deliveries.isPending ? (
        <LoadingState />
      ) : deliveries.isError && all.length === 0 ? (
        <ErrorState error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      ) : all.length === 0 ? (
        <Nothing state={state} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t('intro')}
          </Text>
          <ul className={classes.pieces} aria-label={t('title')}>
            {all.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} isDisabled={endpoint.disabled} />
            ))}
          </ul>
          {deliveries.hasNextPage && (
            <Center>
              <Button
                size="xs"
                variant="default"
                loading={deliveries.isFetchingNextPage}
                onClick={() => void deliveries.fetchNextPage()}
              >
                {common('more')}
              </Button>
            </Center>
          )}
        </>
      )}
    </Stack>
  );
}

function Nothing({ state }: { state: DeliveryState | undefined }) {
  const t = deliveryWords.use();
  return state === undefined ? (
    <EmptyState title={t('none')} hint={t('noneHint')} />
  ) : (
    <EmptyState title={t('noneOfState')} />
  );
}
