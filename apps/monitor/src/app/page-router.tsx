import { Button } from '@mantine/core';
import { createRootRoute, createRoute, createRouter, redirect, Link, Navigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { boardSearch } from '../features/board/search/board-search';
import { figuresSearch } from '../features/figures/figures-search';
import { runsSearch } from '../features/runs/runs-search';
import { sendSearch } from '../features/send/send-search';
import { lastBoard } from '../shared/session/last-board.store';
import { session, useIsAdmin, useSignedIn } from '../shared/session/session.store';
import { checkSession } from '../shared/session/session-calls';
import { usePageTitle } from '../shared/ui/page-title.hook';
import { ErrorState, EmptyState } from '../shared/ui/states.view';
import { commonWords } from '../shared/words/common.words';
import { appWords } from './app.words';
import { Frame } from './frame.view';
import { WorkspacePage } from './workspace.page';
import { lazyPart } from '../shared/parts/lazy-part';

/** An address that is none of the page's. */
function UnknownPage() {
  const t = commonWords.use();
  usePageTitle(t('unknownPage'));
  // Whoever is signed in has the other pages at hand, here too.
  useEffect(() => {
    if (session.state().status === 'unknown') checkSession().catch(() => undefined);
  }, []);
  return (
    <EmptyState
      isPage
      title={t('unknownPage')}
      hint={t('unknownPageHint')}
      action={
        <Button component={Link} to="/" variant="light" size="xs">
          {t('toBoard')}
        </Button>
      }
    />
  );
}

/** `/` leads to the last board, or to the first one. */
function FirstPage() {
  const t = appWords.use();
  usePageTitle(t('board'));
  const { assistants } = useSignedIn();
  const isAdmin = useIsAdmin();
  const last = lastBoard.read();
  const assistant = assistants.find(({ id }) => id === last) ?? assistants[0];
  if (assistant)
    return <Navigate to="/board/$assistantId" params={{ assistantId: assistant.id }} search={{}} replace />;
  return (
    <EmptyState
      isPage
      title={t('noAgents')}
      hint={isAdmin ? t('noAgentsAdmin') : t('noAgentsOperator')}
      action={
        isAdmin && (
          <Button component={Link} to="/settings/assistants" size="xs">
            {t('makeAgent')}
          </Button>
        )
      }
    />
  );
}

/** What the address of `/import` says. */
interface ImportsSearch {
  /** The import that is shown. */
  id?: string;
  /** The agent whose leads are to be imported. */
  agent?: string;
}

/** Reads an address. What it does not know is left out. */
const importsSearch = ({ id, agent }: Record<string, unknown>): ImportsSearch => ({
  ...(typeof id === 'string' && id !== '' ? { id } : {}),
  ...(typeof agent === 'string' && agent !== '' ? { agent } : {}),
});

const root = createRootRoute({
  component: Frame,
  notFoundComponent: UnknownPage,
  errorComponent: ({ error, reset }) => ErrorState({ error, onRetry: reset }),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } =>
    typeof to === 'string' ? { to } : {},
  component: lazyPart(() => import('../features/sign-in/sign-in.page').then((loaded) => loaded.SignInPage)),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPart(() =>
    import('../features/sign-in/invitation.page').then((loaded) => loaded.InvitationPage),
  ),
});

/** All that needs a session: without one, to the sign-in and back. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    if (session.state().status === 'unknown') await checkSession();
    if (session.state().status === 'out')
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } });
  },
});

const first = createRoute({ getParentRoute: () => inside, path: '/', component: FirstPage });
const anyBoard = createRoute({ getParentRoute: () => inside, path: '/board', component: FirstPage });

/** The board, and a dialog beside it: the board stays when a dialog opens. */
const workspace = createRoute({
  getParentRoute: () => inside,
  id: 'workspace',
  validateSearch: boardSearch,
  component: WorkspacePage,
});
const board = createRoute({ getParentRoute: () => workspace, path: '/board/$assistantId' });
const dialog = createRoute({ getParentRoute: () => workspace, path: '/dialogs/$threadId' });

const send = createRoute({
  getParentRoute: () => inside,
  path: '/send',
  validateSearch: sendSearch,
  component: lazyPart(() => import('../features/send/send.page').then((loaded) => loaded.SendPage)),
});
const importing = createRoute({
  getParentRoute: () => inside,
  path: '/import',
  validateSearch: importsSearch,
  component: lazyPart(() => import('../features/imports/imports.page').then((loaded) => loaded.ImportsPage)),
});
const figures = createRoute({
  getParentRoute: () => inside,
  path: '/figures',
  validateSearch: figuresSearch,
  component: lazyPart(() => import('../features/figures/figures.page').then((loaded) => loaded.FiguresPage)),
});
const runs = createRoute({
  getParentRoute: () => inside,
  path: '/runs',
  validateSearch: runsSearch,
  component: lazyPart(() => import('../features/runs/runs.page').then((loaded) => loaded.RunsPage)),
});
const SettingsPage = lazyPart(() =>
  import('../features/settings/settings.page').then((loaded) => loaded.SettingsPage),
);
const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: SettingsPage,
});
const settingsPage = createRoute({
  getParentRoute: () => inside,
  path: '/settings/$page',
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string | undefined>,
  component: SettingsPage,
});

/** The server has it outside of production only. */
const design = createRoute({
  getParentRoute: () => inside,
  path: '/design',
  component: lazyPart(() => import('./design.page').then((loaded) => loaded.DesignPage)),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invitation,
    inside.addChildren([
      ...[first, anyBoard, send, importing, figures, runs, settings, settingsPage, design],
      workspace.addChildren([board, dialog]),
    ]),
  ]),
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
