import { createApi } from '@app/client/api-client';
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
