import {
  ActionIcon,
  Tooltip,
  Menu,
  SegmentedControl,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  Avatar,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useCallback, useContext, useEffect, type ReactNode } from 'react';
import { isolated } from '../shared/format/direction.format';
import { tellError } from '../shared/notices/notice.store';
import { signOut } from '../shared/session/session-calls';
import { useSignedIn } from '../shared/session/session.store';
import { THEMES } from '../shared/theme/theme.store';
import { CustomerText } from '../shared/ui/customer-text.view';
import {
  IconChartBar,
  IconHelp,
  IconLayoutKanban,
  IconMenu2,
  IconRoute,
  IconSend,
  IconSettings,
  IconKeyboard,
  IconLogout,
  IconShieldLock,
} from '../shared/ui/icons.view';
import { Alerts } from '../features/alerts/alerts.view';
import { useSingleKeyActions, switchSingleKeys, useSingleKeys } from '../shared/keys/single-keys.hook';
import { LiveContext } from '../shared/live/live-context';
import icon from '../shared/assets/icon.svg';
import { chooseLanguage, presentLanguage } from '../shared/words/language.store';
import { appWords } from './app.words';
import { lazyPart, keepParts } from '../shared/parts/lazy-part';
import classes from './shell.module.css';

interface Props {
  onKeys: () => void;
  onProfile: () => void;
}

/** Who is signed in, how the page looks and speaks, and the way out. */
function AccountMenu({ onKeys, onProfile }: Props) {
  const t = appWords.use();
  const { user, account } = useSignedIn();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const singleKeys = useSingleKeys();
  const navigate = useNavigate();

  const leave = async (): Promise<void> => {
    try {
      await signOut();
      await navigate({ to: '/sign-in', search: {} });
    } catch (error) {
      tellError(error);
    }
  };

  const themeNames = { auto: t('themeAuto'), light: t('themeLight'), dark: t('themeDark') };
  return (
    <Menu position="bottom-end" width={280} closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton>
          <Avatar size={30} color="teal" name={user.name} />
          <span className="ll-hidden">{t('accountOf', { name: isolated(user.name) })}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            <CustomerText text={user.name} />
          </Text>
          <Text size="xs">
            {`${user.email} · `}
            <CustomerText text={account.name} />
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('language')}
          data={[
            { value: 'en', label: 'English' },
            { value: 'ru', label: 'Русский' },
          ]}
          value={presentLanguage()}
          onChange={chooseLanguage}
        />
        <Menu.Label>{t('theme')}</Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('theme')}
          data={THEMES.map((theme) => ({ value: theme, label: themeNames[theme] }))}
          value={colorScheme}
          onChange={(theme) => setColorScheme(theme)}
        />
        <Menu.Divider />
        <Menu.CheckboxItem checked={singleKeys} onChange={switchSingleKeys}>
          {t('singleKeys')}
        </Menu.CheckboxItem>
        <Menu.Item closeMenuOnClick onClick={onKeys} leftSection={<IconKeyboard size={16} aria-hidden />}>
          {t('keys')}
        </Menu.Item>
        <Menu.Item
          closeMenuOnClick
          onClick={onProfile}
          leftSection={<IconShieldLock size={16} aria-hidden />}
        >
          {t('profile')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick
          onClick={() => void leave()}
          leftSection={<IconLogout size={16} aria-hidden />}
        >
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

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
