import { ApiError } from '@app/client/api.errors';
import type { SignedInAnswer } from '@app/client/api-types';
import { api, queryClient } from '../api/page-api';
import { drafts } from '../drafts/draft.store';
import { suggestLanguage } from '../words/language.store';
import { session } from './session.store';

/** The server told with the page that this browser has no session. To ask would be refused. */
const hasNone = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content === 'none';

/** Somebody has signed in in another tab, and this one still works for the person before. */
const isSomebodyElse = ({ user }: SignedInAnswer): boolean =>
  (session.state().signedIn?.user.id ?? user.id) !== user.id;

/** Nothing that the page holds in memory is for the next person. */
function startAnew(): void {
  session.clear();
  // What asks before the page is left goes first.
  setTimeout(() => location.reload());
}

/** Asks the server who is signed in, once before the first page, and when the page comes back from sleep. */
export async function checkSession(): Promise<void> {
  if (session.state().status === 'unknown' && hasNone()) return session.clear();
  try {
    const signedIn = await api.get('/api/v1/auth/me');
    if (isSomebodyElse(signedIn)) return startAnew();
    suggestLanguage(signedIn.user.locale);
    session.begin(signedIn);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'UNAUTHORIZED')) throw error;
    if (session.state().status === 'unknown') session.clear();
  }
}

const CHANNEL = 'leadline.session';
let channel: BroadcastChannel | null = null;

/** Somebody has signed in or out here: the session of every tab of this browser is another one from now on. */
export function tellTabs(): void {
  channel?.postMessage(null);
}

/** Learns what other tabs tell. A page on which nobody works yet has nothing to learn. */
export function hearTabs(): void {
  channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => {
    const { status } = session.state();
    // Without a connection it is learnt by the next call.
    if (status === 'in' || status === 'ended') void checkSession().catch(() => undefined);
  };
}

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
