import { createApi } from '@app/client/api.client';
import { session } from '../session/session.store';

/** The server's operations, by the session of this browser. */
export const api = createApi({
  csrf: session.csrfToken,
  onUnauthorized: () => session.end(),
});
