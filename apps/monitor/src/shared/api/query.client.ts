import { ApiError } from '@app/client/api.error';
import { QueryClient } from '@tanstack/react-query';

/** Refusals that stay as they are, whatever is tried again. */
const PASSING = new Set(['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR']);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 3 && (!(error instanceof ApiError) || PASSING.has(error.code)),
      retryDelay: (count) => Math.min(500 * 2 ** count, 8_000) * (0.75 + Math.random() / 2),
    },
  },
});
