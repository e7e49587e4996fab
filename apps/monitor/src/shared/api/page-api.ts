import { createApi } from '@app/client/api-client';
import { ApiError } from '@app/client/api.errors';
import { QueryClient } from '@tanstack/react-query';
import { learnTime } from '../format/server-clock';
import { session } from '../session/session.store';

const FORBIDDEN = 403;
const listeners = new Set<() => void>();

/** Tells that the server has refused what this person may not do, or may not do any more. @returns ends it */
export function onForbidden(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** The server's operations, by the session of this browser. */
export const api = createApi({
  csrf: session.csrfToken,
  onUnauthorized: () => session.end(),
  fetch: async (request) => {
    const response = await fetch(request);
    learnTime(response.headers.get('Date'));
    if (response.status === FORBIDDEN) for (const tell of listeners) tell();
    return response;
  },
});

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

interface Part<Item> {
  items: Item[];
  next: string | null;
}

/** Reads a list to its end. For lists that people keep by hand, which are short. */
export async function wholeList<Item>(
  read: (cursor: string | undefined) => Promise<Part<Item>>,
): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await read(cursor);
    all.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return all;
}
