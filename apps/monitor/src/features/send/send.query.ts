import type { GovernedTemplateAnswer, BatchAnswer, RecipientResult } from '@app/client/api-types';
import { queryOptions, useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, wholeList } from '../../shared/api/page-api';
import { readCard } from '../../shared/leads/leads.query';
import { batchKey } from './results/sending.store';
import type { Sender } from './send-types';

/** While something is in line it changes often; afterwards only by what customers' phones report. */
const OFTEN_MS = 2_000;
const SELDOM_MS = 20_000;

interface OutcomeSoFar {
  results: readonly RecipientResult[];
  /** How many there are of each status. */
  counts: Record<RecipientResult['status'], number>;
  isPending: boolean;
  error: unknown;
  retry: () => void;
}

const join = (queries: UseQueryResult<BatchAnswer>[]): Omit<OutcomeSoFar, 'counts'> => ({
  results: queries.flatMap(({ data }) => data?.results ?? []),
  isPending: queries.some(({ isPending }) => isPending),
  error: queries.find(({ error }) => error !== null)?.error ?? null,
  retry: () => queries.forEach((query) => query.isError && void query.refetch()),
});

/** What became of a list, part by part, and goes on becoming of it. */
export function useOutcome(ids: readonly string[]): OutcomeSoFar {
  const joined = useQueries({
    queries: ids.map((id) => ({
      queryKey: batchKey(id),
      queryFn: (): Promise<BatchAnswer> => api.post('/api/v1/messages/get-batch', { body: { batch_id: id } }),
      refetchInterval: ({ state }: { state: { data?: BatchAnswer } }) =>
        (state.data?.queued ?? 0) > 0 ? OFTEN_MS : SELDOM_MS,
    })),
    combine: join,
  });
  const { results } = joined;
  const counts = useMemo(() => {
    const found = { sent: 0, failed: 0, queued: 0, unknown: 0 };
    for (const { status } of results) found[status] += 1;
    return found;
  }, [results]);
  return { ...joined, counts };
}

const PAGE = 200;

/** The approved templates of a number. */
export const templatesQuery = (sender: Sender | null) =>
  queryOptions({
    queryKey: ['sendable-templates', sender?.botId, sender?.channel],
    enabled: sender !== null,
    queryFn: (): Promise<GovernedTemplateAnswer[]> =>
      wholeList(async (cursor) => {
        const query = {
          ...{ bot_id: sender?.botId, channel: sender?.channel, status: 'approved' as const },
          ...{ limit: PAGE, cursor },
        };
        const page = await api.get('/api/v1/admin/templates', { params: { query } });
        return { items: page.templates, next: page.next_cursor };
      }),
  });

/** The own account, with its quota: admins may read it. */
export const quotaQuery = (accountId: string, isAdmin: boolean) =>
  queryOptions({
    queryKey: ['quota', accountId],
    enabled: isAdmin,
    staleTime: 0,
    queryFn: () => api.get('/api/v1/admin/accounts/{id}', { params: { path: { id: accountId } } }),
  });

/** Whom a dialog is with, and at which number. */
export const customerQuery = (threadId: string | undefined) =>
  queryOptions({
    queryKey: ['send-to-thread', threadId],
    enabled: threadId !== undefined,
    staleTime: Infinity,
    queryFn: () => readCard(threadId ?? ''),
  });
