import { useEffect } from 'react';
import { onForbidden } from '../../shared/api/page.api';
import { checkSession } from '../../shared/session/session.check';
import { useSession } from '../../shared/session/session.store';

/** Whether the account lets this person do nothing before there is a second factor. */
export function useSecondFactorDemanded(): boolean {
  const { signedIn } = useSession();
  // It may come to be demanded while somebody works: then everything is refused from one call to the next.
  useEffect(() => onForbidden(() => void checkSession().catch(() => undefined)), []);
  return signedIn !== null && signedIn.account.second_factor_required && !signedIn.user.second_factor;
}
