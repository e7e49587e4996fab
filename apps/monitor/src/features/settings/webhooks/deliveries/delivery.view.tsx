import type { DeliveryAttemptAnswer, WebhookDeliveryAnswer } from '@app/client/api-types';
import { WEBHOOK_TEST, type AttemptFault } from '@app/contracts/webhook.words';
import { Anchor, Button, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../../shared/api/page-api';
import { readableJson } from '../../../../shared/format/direction.format';
import { wholeNumber } from '../../../../shared/format/number.format';
import { dateAndTime } from '../../../../shared/format/time.format';
import { CustomerText } from '../../../../shared/ui/customer-text.view';
import { ErrorState, LoadingState } from '../../../../shared/ui/states.view';
import { useAct } from '../../parts/forms/save.hook';
import { Mark, type Tone } from '../../parts/lists/entry-list.view';
import { CopiedText } from '../../parts/shown-once.view';
import { deliveryWords } from './delivery.words';
import { refreshEndpoint, deliveryQuery } from '../endpoints.query';
import { eventInWords, webhookEventWords } from '../webhook-event.words';
import classes from '../webhooks.module.css';

interface DeliveryRequestProps {
  endpointId: string;
  deliveryId: string;
}

/** What is sent for a delivery: address, headers, body. It is asked for when it is opened, for it may hold a customer's words. */
function DeliveryRequest(props: DeliveryRequestProps) {
  const t = deliveryWords.use();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('request')}</summary>
      {isOpen && <Request {...props} />}
    </details>
  );
}

function Request({ endpointId, deliveryId }: DeliveryRequestProps) {
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

const wordOf = (reason: AttemptFault): `fault_${AttemptFault}` => `fault_${reason}`;

/** What went wrong with an attempt; in the server's words where the page has none, or only a general one. */
export function FaultOfAttempt({ attempt: { error, reason } }: { attempt: DeliveryAttemptAnswer }) {
  const t = deliveryWords.use();
  const word = reason && wordOf(reason);
  const isKnown = word !== null && deliveryWords.has(word);
  return (
    <>
      {isKnown && t(word)}
      {error !== null && (!isKnown || reason === 'connection') && (
        <>
          {isKnown && ' '}
          <CustomerText text={error} lang="en" />
        </>
      )}
    </>
  );
}

const TONES: Record<WebhookDeliveryAnswer['state'], Tone> = {
  ...{ pending: 'info', delivered: 'good', failed: 'bad', skipped: 'plain' },
};

interface Props {
  delivery: WebhookDeliveryAnswer;
  /** Nothing is sent to its endpoint. */
  isDisabled: boolean;
}

/** One event on its way to an endpoint, with its attempts. */
export function Delivery({ delivery, isDisabled }: Props) {
  const t = deliveryWords.use();
  webhookEventWords.use();
  const { isBusy, act } = useAct();
  const { id, endpoint_id, type, state, event_id, thread_id, next_at, replayed, created_at } = delivery;
  const at = dateAndTime(created_at);
  const mayRetry = state !== 'delivered' && type !== WEBHOOK_TEST;
  const retry = async (): Promise<void> => {
    const params = { path: { id } };
    const sent = await act(
      () => api.post('/api/v1/admin/webhook-deliveries/{id}/retry', { params, body: {} }),
      t('retried'),
    );
    if (sent) void refreshEndpoint(endpoint_id);
  };
  return (
    <Paper withBorder p="sm" component="li" bg="var(--ll-surface)" data-delivery-id={id} data-state={state}>
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={600}>{eventInWords(type)}</Text>
          <Mark tone={TONES[state]} text={t(state)} />
          {replayed && <Mark text={t('replayed')} />}
        </Group>
        <Text size="sm" c="dimmed">
          <bdi dir="ltr">{type}</bdi> · <time dateTime={created_at}>{t('happened', { at })}</time>
          {next_at !== null && <> · {t('nextAt', { at: dateAndTime(next_at) })}</>}
        </Text>
        <Text size="sm" c="dimmed" className={classes.header}>
          {t('eventId')}: <bdi dir="ltr">{event_id}</bdi>
          {replayed && <> · {t('replayHeader')}</>}
        </Text>
        <Attempts delivery={delivery} />
        <DeliveryRequest endpointId={endpoint_id} deliveryId={id} />
        <Group gap="md">
          {mayRetry && (
            <Button
              size="xs"
              variant="default"
              loading={isBusy}
              disabled={isDisabled}
              aria-label={t('retryOf', { type: eventInWords(type), at })}
              onClick={() => void retry()}
            >
              {t('retry')}
            </Button>
          )}
          {thread_id !== null && (
            <Anchor
              size="sm"
              lh="24px"
              underline="always"
              renderRoot={(props) => (
                <Link to="/dialogs/$threadId" params={{ threadId: thread_id }} search={{}} {...props} />
              )}
            >
              {t('dialog')}
            </Anchor>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

function Attempts({ delivery: { attempts } }: { delivery: WebhookDeliveryAnswer }) {
  const t = deliveryWords.use();
  if (attempts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noAttempts')}
      </Text>
    );
  const label = t('attempts', { count: attempts.length });
  return (
    <details>
      <summary>
        {label} · {answerOf(attempts.at(-1))}
      </summary>
      <Table className={classes.attempts} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {(['at', 'answer', 'took', 'error'] as const).map((key) => (
              <Table.Th key={key} scope="col">
                {t(key)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attempts.map((attempt) => (
            <Table.Tr key={attempt.at}>
              <Table.Td data-label={t('at')}>{dateAndTime(attempt.at)}</Table.Td>
              <Table.Td data-label={t('answer')}>{attempt.status ?? t('noAnswer')}</Table.Td>
              <Table.Td data-label={t('took')}>
                {t('milliseconds', { count: wholeNumber(attempt.ms) })}
              </Table.Td>
              <Table.Td data-label={t('error')}>
                {attempt.error === null ? '' : <FaultOfAttempt attempt={attempt} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}

/** The status of the answer, or why there is none. */
function answerOf(attempt: DeliveryAttemptAnswer | undefined) {
  if (attempt === undefined) return null;
  return attempt.status ?? <FaultOfAttempt attempt={attempt} />;
}
