import { Button, NativeSelect, NavLink } from '@mantine/core';
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useIsAdmin, useSignedIn } from '../../shared/session/session.store';
import { ErrorBoundary } from '../../shared/ui/error.boundary';
import { EmptyState, LoadingState } from '../../shared/ui/states.view';
import { commonWords } from '../../shared/words/common.words';
import { usePageTitle } from '../../shared/ui/page-title.hook';
import { isSettingsPage, PAGES, READABLE } from './settings-names.format';
import { PAGE_VIEWS } from './settings.pages';
import { settingsWords } from './settings.words';
import { agentOf } from './parts/agent.hook';
import type { SettingsSearch } from './parts/settings-search.hook';
import classes from './settings.module.css';

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
