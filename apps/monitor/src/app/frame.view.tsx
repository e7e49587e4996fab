import { Outlet, useRouterState } from '@tanstack/react-router';
import { SessionEnded } from '../features/sign-in/session-ended.view';
import { Notices } from '../shared/notices/notices.view';
import { useSession } from '../shared/session/session.store';
import { ConfirmationDialog } from '../shared/ui/confirmation.view';
import { ErrorBoundary } from '../shared/ui/error.boundary';
import { Shell } from './shell.view';

/** What is around every page, and over it. */
export function Frame() {
  const { signedIn } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isOutside = path === '/sign-in' || path === '/invitation';
  const page = (
    <ErrorBoundary resetKey={path}>
      <Outlet />
    </ErrorBoundary>
  );
  return (
    <>
      {signedIn !== null && !isOutside ? <Shell>{page}</Shell> : page}
      <SessionEnded />
      <ConfirmationDialog />
      <Notices />
    </>
  );
}
