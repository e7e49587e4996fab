import { api } from '../api/page-api';
import { queryClient } from '../api/query-client';
import { drafts } from '../drafts/draft.store';
import { session } from './session.store';
import { tellTabs } from './session-tabs';

/**
 * Ends the session, and leaves nothing of the person for the next one. The page is not loaded anew: what is on its way may
 * still arrive.
 * @throws where the session could not be ended; then nothing has changed
 */
export async function signOut(): Promise<void> {
  await api.post('/api/v1/auth/sign-out');
  drafts.deleteAll();
  queryClient.clear();
  session.clear();
  tellTabs();
}
