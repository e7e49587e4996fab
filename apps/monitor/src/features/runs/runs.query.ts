import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/page-api';
import { tellDone, tellError } from '../../shared/notices/notice.store';
import type { RunsSearch } from './runs-search';

const PAGE = 30;
/** Runs go on by themselves. What is shown of them is at most so old. */
const REFRESH_MS = 5_000;

export const useRuns = (search: RunsSearch) =>
  useInfiniteQuery({
    queryKey: ['runs', search],
    queryFn: ({ pageParam }) =>
      api.get('/api/v1/admin/scenario-runs', {
        params: { query: { ...search, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) } },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // Of a long list each page would be read again.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 2 ? false : REFRESH_MS),
  });

export const useScenarioNames = () =>
  useQuery({
    queryKey: ['scenarios', 'names'],
    queryFn: async () => {
      const { scenarios } = await api.get('/api/v1/admin/scenarios');
      return scenarios.map(({ id, name }) => ({ value: id, label: name }));
    },
    staleTime: 60_000,
  });

/** The lead of a run, once the run is looked at. */
export const useLead = (threadId: string) =>
  useQuery({
    queryKey: ['lead of a run', threadId],
    queryFn: () => api.post('/api/v1/leads/get-lead', { body: { thread_id: threadId } }),
    staleTime: 60_000,
  });

/** Does something with a run, tells what came of it, and shows the runs as they are then. */
export function useRunAct(done: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSuccess: () => tellDone(done),
    onError: (error) => tellError(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['runs'] }),
  });
}
