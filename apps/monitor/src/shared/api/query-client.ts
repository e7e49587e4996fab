import { ApiError } from '@app/client/api.errors';
import { QueryClient } from '@tanstack/react-query';

/** Refusals that pass by themselves. Any other stays as it is, however often it is tried again. */
const PASSING = new Set(['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR']);

/** What the page has read of the service. One for all of it, also for what is no component. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 3 && (!(error instanceof ApiError) || PASSING.has(error.code)),
      retryDelay: (count) => Math.min(500 * 2 ** count, 8_000) * (0.75 + Math.random() / 2),
    },
  },
});
