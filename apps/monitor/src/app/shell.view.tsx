import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useCallback, useContext, useEffect, type ReactNode } from 'react';
import {
  IconChartBar,
  IconHelp,
  IconLayoutKanban,
  IconMenu2,
  IconRoute,
  IconSend,
  IconSettings,
} from '../shared/ui/icons.view';
import { Alerts } from '../features/alerts/alerts.view';
import { useSingleKeyActions } from '../shared/keys/single-keys.hook';
import { LiveContext } from '../shared/live/live-context';
import icon from '../shared/assets/icon.svg';
import { AccountMenu } from './account-menu.view';
import { appWords } from './app.words';
import { lazyPart, keepParts } from '../shared/parts/lazy-part';
import classes from './shell.module.css';

const Profile = lazyPart(() => import('../features/sign-in/profile.view').then((loaded) => loaded.Profile), {
  isWindow: true,
});

const PageMenu = lazyPart(() => import('./page-menu.view').then((loaded) => loaded.PageMenu), {
  isWindow: true,
});
const KeysHelp = lazyPart(() => import('./keys-help.view').then((loaded) => loaded.KeysHelp), {
  isWindow: true,
});

/** The frame of all pages but those of sign-in. */
export function Shell({ children }: { children: ReactNode }) {
  const t = appWords.use();
  const [isMenuOpen, menu] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  const [isProfileOpen, profile] = useDisclosure();
  const navigate = useNavigate();
  const openDialog = useCallback(
    (threadId: string) => void navigate({ to: '/dialogs/$threadId', params: { threadId }, search: {} }),
    [navigate],
  );
  const isLive = useContext(LiveContext) !== null;
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useSingleKeyActions({ 'Shift+Slash': help.open });
  useEffect(menu.close, [path, menu.close]);
  useEffect(() => void keepParts(), []);

  const pages = [
    {
      to: '/',
      label: t('board'),
      Icon: IconLayoutKanban,
      isHere: /^\/(board|dialogs|import)/.test(path) || path === '/',
    },
    { to: '/send', label: t('send'), Icon: IconSend, isHere: path === '/send' },
    { to: '/figures', label: t('figures'), Icon: IconChartBar, isHere: path === '/figures' },
    { to: '/runs', label: t('runs'), Icon: IconRoute, isHere: path === '/runs' },
    { to: '/settings', label: t('settings'), Icon: IconSettings, isHere: path.startsWith('/settings') },
  ] as const;

  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {t('skip')}
      </a>
      <header className={classes.header}>
        <ActionIcon
          className={classes.burger}
          variant="subtle"
          color="gray"
          aria-label={t('menu')}
          aria-expanded={isMenuOpen}
          onClick={menu.open}
        >
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
        <img src={icon} alt="" width={24} height={24} />
        <nav className={classes.pages} aria-label={t('menu')}>
          {pages.map(({ to, label, isHere }) => (
            <Link key={to} to={to} className={classes.page} aria-current={isHere ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <div className={classes.space} />
        {isLive && <Alerts onOpen={openDialog} />}
        <Tooltip label={t('keys')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('keys')} onClick={help.open}>
            <IconHelp size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <AccountMenu onKeys={help.open} onProfile={profile.open} />
      </header>
      <main id="content" className={classes.content} tabIndex={-1}>
        {children}
      </main>
      <Suspense>
        {isMenuOpen && <PageMenu pages={pages} onClose={menu.close} />}
        {isHelpOpen && <KeysHelp onClose={help.close} />}
        {isProfileOpen && <Profile onClose={profile.close} />}
      </Suspense>
    </div>
  );
}
