import type { RejectedItemAnswer } from '@app/client/api-types';
import { Anchor, Button, Center, Stack, Text, Title, Code, Group, Paper } from '@mantine/core';
import { useInfiniteQuery, useQuery, infiniteQueryOptions } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { isolated, readableJson } from '../../../shared/format/direction.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { tellDone, tellFailed } from '../../../shared/notices/notice.store';
import { Ask } from '../../../shared/ui/ask.view';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { commonWords } from '../../../shared/words/common.words';
import { botsQuery } from '../../../shared/leads/bots.query';
import { useAct } from '../parts/forms/save.hook';
import { webhookWords } from './webhook.words';
import classes from './webhooks.module.css';

const PAGE = 50;

/** What could not be taken in, the newest first. */
const rejectsQuery = infiniteQueryOptions({
  queryKey: ['settings', 'webhook-rejects'],
  queryFn: ({ pageParam, signal }) =>
    api.get('/api/v1/admin/webhook-rejects', {
      params: { query: { limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) } },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }) => next_cursor,
});

const PROVIDERS = { cloud: 'Meta', gupshup: 'Gupshup' } as const;

/** A piece of a webhook: why it was not taken in, and what can be done. */
function Reject({ reject, botName }: { reject: RejectedItemAnswer; botName: string | null }) {
  const t = webhookWords.use();
  const { isBusy, act } = useAct();
  const [isAsked, setAsked] = useState(false);
  const { id, provider, path, reason, item, received_at } = reject;
  const params = { path: { id } };
  const refresh = () => queryClient.invalidateQueries({ queryKey: rejectsQuery.queryKey });
  const retry = async (): Promise<void> => {
    const result = await act(() => api.post('/api/v1/admin/webhook-rejects/{id}/retry', { params }));
    if (!result) return;
    if (result.taken_in) tellDone(t('takenIn'));
    else
      tellFailed(t('notTakenIn'), { detail: result.reason === null ? undefined : isolated(result.reason) });
    void refresh();
  };
  const remove = async (): Promise<void> => {
    const removed = await act(
      () => api.delete('/api/v1/admin/webhook-rejects/{id}', { params }),
      t('deleted'),
    );
    setAsked(false);
    if (removed) void refresh();
  };
  return (
    <Paper withBorder p="sm" component="li" bg="var(--ll-surface)">
      <Stack gap={4}>
        <Text fw={600}>
          <CustomerText text={reason} />
        </Text>
        <Text size="sm" c="dimmed">
          {PROVIDERS[provider]} ·{' '}
          <time dateTime={received_at}>{t('received', { at: dateAndTime(received_at) })}</time> · {t('place')}{' '}
          {path === '' ? t('whole') : <CustomerText text={path} isPhone />}
          {botName !== null && (
            <>
              {' '}
              · {t('bot')} <CustomerText text={botName} />
            </>
          )}
        </Text>
        <details>
          <summary>{t('text')}</summary>
          <Text size="sm" c="dimmed" my={4}>
            {t('textHint')}
          </Text>
          <Code block dir="auto" mah={320} tabIndex={0}>
            {readable(item)}
          </Code>
        </details>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            loading={isBusy}
            aria-label={t('retryOf', { reason })}
            onClick={() => void retry()}
          >
            {t('retry')}
          </Button>
          <Button
            size="xs"
            variant="default"
            c="var(--ll-danger)"
            aria-label={t('deleteOf', { reason })}
            onClick={() => setAsked(true)}
          >
            {t('delete')}
          </Button>
        </Group>
      </Stack>
      <Ask
        isOpen={isAsked}
        {...{ title: t('deleteTitle'), text: t('deleteText'), name: reason, action: t('delete'), isBusy }}
        onAnswer={() => void remove()}
        onClose={() => setAsked(false)}
      />
    </Paper>
  );
}

/** JSON with a field a line; whatever else it is, and what was cut, as it is. */
function readable(item: string): string {
  try {
    return readableJson(JSON.parse(item));
  } catch {
    return item;
  }
}

/** What the messengers reported and could not be taken in. */
export function Rejects() {
  const t = webhookWords.use();
  const common = commonWords.use();
  const rejects = useInfiniteQuery(rejectsQuery);
  const bots = useQuery(botsQuery);
  const all = rejects.data?.pages.flatMap((page) => page.webhook_rejects) ?? [];
  return (
    <Stack gap="sm" component="section" aria-label={t('title')}>
      <Title order={2}>{t('title')}</Title>
      <Text size="sm" c="dimmed">
        {t('intro')}
      </Text>
      {rejects.isPending ? (
        <LoadingState />
      ) : rejects.isError && all.length === 0 ? (
        <ErrorState error={rejects.error} onRetry={() => void rejects.refetch()} />
      ) : all.length === 0 ? (
        <EmptyState title={t('none')} hint={t('noneHint')} />
      ) : (
        <>
          <Text size="sm">
            {t('help')}{' '}
            <Anchor
              size="sm"
              underline="always"
              renderRoot={(props) => (
                <Link to="/settings/$page" params={{ page: 'bots' }} search={{}} {...props} />
              )}
            >
              {t('toBots')}
            </Anchor>
          </Text>
          <ul className={classes.pieces} aria-label={t('title')}>
            {all.map((reject) => (
              <Reject
                key={reject.id}
                reject={reject}
                botName={bots.data?.find((bot) => bot.id === reject.bot_id)?.name ?? null}
              />
            ))}
          </ul>
          {rejects.hasNextPage && (
            <Center>
              <Button
                size="xs"
                variant="default"
                loading={rejects.isFetchingNextPage}
                onClick={() => void rejects.fetchNextPage()}
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
