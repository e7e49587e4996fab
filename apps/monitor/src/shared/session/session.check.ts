import { ApiError } from '@app/client/api.error';
import { api } from '../api/page.api';
import { suggestLanguage } from '../words/language.store';
import { session } from './session.store';

/** Asks the server who is signed in, once before the first page, and when the page comes back from sleep. */
export async function checkSession(): Promise<void> {
  try {
    const signedIn = await api.get('/api/v1/auth/me');
    suggestLanguage(signedIn.user.locale);
    session.begin(signedIn);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'UNAUTHORIZED')) throw error;
    if (session.state().status === 'unknown') session.clear();
  }
}
