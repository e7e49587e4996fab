import { Button, NativeSelect, NavLink } from '@mantine/core';
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, type ComponentType } from 'react';
import { lazyPart } from '../../shared/parts/lazy-part';
import { useIsAdmin, useSignedIn } from '../../shared/session/session.store';
import { EmptyState, LoadingState, ErrorBoundary } from '../../shared/ui/states.view';
import { commonWords } from '../../shared/words/common.words';
import { usePageTitle } from '../../shared/ui/page-title.hook';
import { isSettingsPage, PAGES, READABLE, settingsWords, type SettingsPageName } from './settings.words';
import { type SettingsSearch, agentOf } from './parts/settings-search.hook';
import classes from './settings.module.css';

/** Each page is a chunk of its own. */
const PAGE_VIEWS: Record<SettingsPageName, ComponentType> = {
  assistants: lazyPart(() => import('./assistants/assistants.page').then((loaded) => loaded.AssistantsPage)),
  stages: lazyPart(() => import('./stages/stages.page').then((loaded) => loaded.StagesPage)),
  scenarios: lazyPart(() => import('./scenarios/scenarios.page').then((loaded) => loaded.ScenariosPage)),
  bots: lazyPart(() => import('./bots/bots.page').then((loaded) => loaded.BotsPage)),
  templates: lazyPart(() => import('./templates/templates.page').then((loaded) => loaded.TemplatesPage)),
  keys: lazyPart(() => import('./keys/keys.page').then((loaded) => loaded.KeysPage)),
  users: lazyPart(() => import('./users/users.page').then((loaded) => loaded.UsersPage)),
  webhooks: lazyPart(() => import('./webhooks/webhooks.page').then((loaded) => loaded.WebhooksPage)),
  audit: lazyPart(() => import('./audit/audit.page').then((loaded) => loaded.AuditPage)),
  work: lazyPart(() => import('./work/work.page').then((loaded) => loaded.WorkPage)),
};

/** Pages that show the things of one agent. */
const OF_AGENT: ReadonlySet<string> = new Set(['stages', 'scenarios']);

/** `/settings/<page>`: the list of pages, and the page. */
export function SettingsPage() {
  const t = settingsWords.use();
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  const { page } = useParams({ strict: false });
  const search: SettingsSearch = useSearch({ strict: false });
  usePageTitle(page !== undefined && isSettingsPage(page) ? t(page) : undefined, t('settings'));
  if (page === undefined)
    return (
      <Navigate
        to="/settings/$page"
        params={{ page: isAdmin ? 'assistants' : 'stages' }}
        search={{}}
        replace
      />
    );
  // Whoever follows the address of another one is told that it is for admins.
  const pages = PAGES.filter((name) => isAdmin || READABLE.has(name) || name === page);
  const isKnown = isSettingsPage(page);
  // Who has made an agent goes on to its stages and scenarios, not to another one's.
  const searchOf = (name: string): SettingsSearch =>
    OF_AGENT.has(name) ? { agent: agentOf(page, search) } : {};
  return (
    <div className={classes.settings}>
      <nav className={classes.pages} aria-label={t('page')}>
        {pages.map((name) => (
          <NavLink
            key={name}
            renderRoot={(props) => (
              <Link to="/settings/$page" params={{ page: name }} search={searchOf(name)} {...props} />
            )}
            label={t(name)}
            active={name === page}
            aria-current={name === page ? 'page' : undefined}
          />
        ))}
      </nav>
      <NativeSelect
        className={classes.pageSelect}
        aria-label={t('page')}
        data={[
          ...(isKnown ? [] : [{ value: '', label: '…' }]),
          ...pages.map((name) => ({ value: name, label: t(name) })),
        ]}
        value={isKnown ? page : ''}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ to: '/settings/$page', params: { page: value }, search: searchOf(value) })
        }
      />
      <div className={classes.page}>
        <ErrorBoundary resetKey={page}>
          <PageOf name={page} />
        </ErrorBoundary>
      </div>
    </div>
  );
}

function PageOf({ name }: { name: string }) {
  const t = settingsWords.use();
  const common = commonWords.use();
  const isAdmin = useIsAdmin();
  const { account } = useSignedIn();
  if (!isSettingsPage(name))
    return (
      <EmptyState
        isPage
        title={t('unknown')}
        hint={common('unknownPageHint')}
        action={
          <Button component={Link} to="/settings" variant="light" size="xs">
            {t('toSettings')}
          </Button>
        }
      />
    );
  if (!isAdmin && !READABLE.has(name))
    return (
      <EmptyState
        isPage
        title={common('adminsOnly')}
        hint={common('adminsOnlyHint', { account: account.name })}
        action={
          <Button component={Link} to="/" variant="light" size="xs">
            {common('toBoard')}
          </Button>
        }
      />
    );
  const View = PAGE_VIEWS[name];
  return (
    <Suspense fallback={<LoadingState />}>
      <View key={name} />
    </Suspense>
  );
}
