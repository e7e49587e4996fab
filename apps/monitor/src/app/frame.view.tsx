import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useRef, useEffect } from 'react';
import { onForbidden } from '../shared/api/page-api';
import { LiveProvider } from '../shared/live/live-provider';
import { Notices } from '../shared/notices/notices.view';
import { checkSession } from '../shared/session/session-calls';
import { useSession } from '../shared/session/session.store';
import { useAskedConfirmation } from '../shared/ui/confirmation.store';
import { ErrorBoundary } from '../shared/ui/states.view';
import { Shell } from './shell.view';
import { lazyPart } from '../shared/parts/lazy-part';

/** Whether the account lets this person do nothing before there is a second factor. */
function useSecondFactorDemanded(): boolean {
  const { signedIn } = useSession();
  // It may come to be demanded while somebody works: then everything is refused from one call to the next.
  useEffect(() => onForbidden(() => void checkSession().catch(() => undefined)), []);
  return signedIn !== null && signedIn.account.second_factor_required && !signedIn.user.second_factor;
}

const SecondFactorDemanded = lazyPart(
  () =>
    import('../features/sign-in/second-factor-demanded.view').then((loaded) => loaded.SecondFactorDemanded),
  { isWindow: true },
);

const SessionEnded = lazyPart(
  () => import('../features/sign-in/session-ended.view').then((loaded) => loaded.SessionEnded),
  { isWindow: true },
);

const ConfirmationDialog = lazyPart(
  () => import('../shared/ui/confirmation.view').then((loaded) => loaded.ConfirmationDialog),
  { isWindow: true },
);

/** What is around every page, and over it. */
export function Frame() {
  const { status, signedIn } = useSession();
  const isAsked = useAskedConfirmation() !== null;
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isOutside = path === '/sign-in' || path === '/invitation';
  // What is still shown, while the address is that of the next page already. After a sign-out it has to go at once.
  const isInside = useRouterState({
    select: ({ matches }) => matches.some(({ routeId }) => routeId === '/inside'),
  });
  const isDemanded = useSecondFactorDemanded() && !isOutside;
  // What somebody was at when it was demanded stays, under the demand. Otherwise nothing is there yet to be refused.
  const wasLetIn = useRef(false);
  wasLetIn.current = !isOutside && signedIn !== null && (wasLetIn.current || !isDemanded);
  const page = (
    <ErrorBoundary resetKey={path}>
      {(isOutside || !isDemanded || wasLetIn.current) && <Outlet />}
    </ErrorBoundary>
  );
  return (
    <>
      {signedIn !== null && (!isOutside || isInside) ? (
        <LiveProvider key={signedIn.user.id} isWanted={!isDemanded || wasLetIn.current}>
          <Shell>{page}</Shell>
        </LiveProvider>
      ) : (
        (signedIn !== null || !isInside) && page
      )}
      <Suspense>
        {isDemanded && <SecondFactorDemanded />}
        {status === 'ended' && <SessionEnded />}
        {isAsked && <ConfirmationDialog />}
      </Suspense>
      <Notices />
    </>
  );
}
