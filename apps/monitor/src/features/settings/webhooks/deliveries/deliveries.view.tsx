import type { WebhookDeliveryAnswer, WebhookEndpointAnswer } from '@app/client/api-types';
import { DELIVERY_STATES, type DeliveryState, ENDPOINT_LIMITS } from '@app/contracts/webhook.words';
import { Button, Center, Group, NativeSelect, Stack, Text, Alert, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../shared/api/page-api';
import { wholeNumber } from '../../../../shared/format/number.format';
import { serverNow } from '../../../../shared/format/server-clock';
import { localInput } from '../../../../shared/format/time.format';
import { Ask } from '../../../../shared/ui/ask.view';
import { EmptyState, ErrorState, LoadingState } from '../../../../shared/ui/states.view';
import { commonWords } from '../../../../shared/words/common.words';
import { useAct } from '../../parts/forms/save.hook';
import { useSettingsSearch } from '../../parts/settings-search.hook';
import { nameOf } from '../endpoint-form.format';
import { Delivery, FaultOfAttempt } from './delivery.view';
import { deliveryWords } from './delivery.words';
import { deliveriesQuery, refreshEndpoint } from '../endpoints.query';
import classes from '../webhooks.module.css';

const DAY_MS = 86_400_000;
const { replayDays } = ENDPOINT_LIMITS;

/** The button that has an endpoint sent what it has missed in a time, and the question for that time. */
function Replay({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
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
