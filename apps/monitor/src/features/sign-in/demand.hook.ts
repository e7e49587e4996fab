import { ApiError } from '@app/client/api.error';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { checkSession } from '../../shared/session/session.check';
import { useSession } from '../../shared/session/session.store';

/** Whether the account lets this person do nothing before there is a second factor. */
export function useSecondFactorDemanded(): boolean {
  const { signedIn } = useSession();
  const queries = useQueryClient();
  useEffect(
    () =>
      // It may be demanded while somebody works: then what is read is refused from one call to the next.
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action as { error: unknown };
        if (error instanceof ApiError && error.code === 'FORBIDDEN')
          void checkSession().catch(() => undefined);
      }),
    [queries],
  );
  return signedIn !== null && signedIn.account.second_factor_required && !signedIn.user.second_factor;
}
