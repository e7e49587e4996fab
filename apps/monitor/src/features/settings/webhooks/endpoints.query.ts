import type { DeliveryState } from '@app/contracts/webhook.words';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, queryClient, wholeList } from '../../../shared/api/page-api';

const EVERY_MS = 5_000;
const PAGE = 50;

/** The endpoints of the account, the newest first, and how each fares now. */
export const endpointsQuery = queryOptions({
  queryKey: ['settings', 'webhook-endpoints'],
  queryFn: ({ signal }) =>
    wholeList(async (cursor) => {
      const params = { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } };
      const answer = await api.get('/api/v1/admin/webhook-endpoints', { params, signal });
      return { items: answer.webhook_endpoints, next: answer.next_cursor };
    }),
  refetchInterval: EVERY_MS,
});

const deliveriesKey = (endpointId: string) => ['settings', 'webhook-deliveries', endpointId];

/** What was sent to an endpoint and is to be sent, the newest first. No event tells of it, so it is read anew. */
export const deliveriesQuery = (endpointId: string, state: DeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey(endpointId), state ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/admin/webhook-endpoints/{id}/deliveries', {
        params: {
          path: { id: endpointId },
          query: { limit: PAGE, state, ...(pageParam === null ? {} : { cursor: pageParam }) },
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: EVERY_MS,
  });

/** One with what is sent for it. */
export const deliveryQuery = (endpointId: string, id: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(endpointId), 'request', id],
    queryFn: ({ signal }) =>
      api.get('/api/v1/admin/webhook-deliveries/{id}', { params: { path: { id } }, signal }),
    // It is made of the history as it is when it is asked for.
    staleTime: 0,
    gcTime: 0,
  });

/** After something was done about an endpoint: what is shown of it is read anew. */
export async function refreshEndpoint(endpointId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: deliveriesKey(endpointId) }),
  ]);
}
