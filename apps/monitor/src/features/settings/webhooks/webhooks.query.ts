import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../../shared/api/page-api';

const PAGE = 50;

/** What could not be taken in, the newest first. */
export const rejectsQuery = infiniteQueryOptions({
  queryKey: ['settings', 'webhook-rejects'],
  queryFn: ({ pageParam, signal }) =>
    api.get('/api/v1/admin/webhook-rejects', {
      params: { query: { limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) } },
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }) => next_cursor,
});
