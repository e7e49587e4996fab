import type { SignedInAnswer } from '@app/client/api-types';
import { useSyncExternalStore } from 'react';
import { drafts } from '../drafts/draft.store';

/**
 * Who is signed in:
 * - unknown: not asked yet;
 * - out: nobody;
 * - in: this person;
 * - ended: this person was, and works on a page whose session has ended.
 */
type SessionState =
  | { status: 'unknown' | 'out'; signedIn: null }
  | { status: 'in' | 'ended'; signedIn: SignedInAnswer };

let state: SessionState = { status: 'unknown', signedIn: null };
const listeners = new Set<() => void>();

function set(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The session of this browser, outside components. */
export const session = {
  state: (): SessionState => state,
  csrfToken: (): string | null => state.signedIn?.csrf_token ?? null,
  begin(signedIn: SignedInAnswer): void {
    drafts.begin(signedIn.user.id);
    set({ status: 'in', signedIn });
  },
  /** After a sign-out, or where nobody was signed in. */
  clear: (): void => set({ status: 'out', signedIn: null }),
  /** The server says that it has ended. Nothing on the page is lost by it. */
  end(): void {
    if (state.status === 'in') set({ status: 'ended', signedIn: state.signedIn });
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** For the parts of the page that are there without a session as well. */
export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.state);

/** The person on whose behalf the page is shown. Only below the part of the page that needs a session. */
export function useSignedIn(): SignedInAnswer {
  const { signedIn } = useSession();
  if (signedIn === null) throw new Error('Nobody is signed in.');
  return signedIn;
}

/** It only decides what is offered: the service refuses by itself what an operator may not do. */
export const useIsAdmin = (): boolean => useSignedIn().user.role === 'admin';
