import { Anchor, Button, Center, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { commonWords } from '../../../shared/words/common.words';
import { botsQuery } from '../../../shared/leads/bots.query';
import { Reject } from './reject.view';
import { webhookWords } from './webhook.words';
import classes from './webhooks.module.css';
import { rejectsQuery } from './webhooks.query';

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
