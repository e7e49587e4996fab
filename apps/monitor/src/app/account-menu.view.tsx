import { Menu, SegmentedControl, Text, UnstyledButton, useMantineColorScheme, Avatar } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { switchSingleKeys, useSingleKeys } from '../shared/keys/single-keys.hook';
import { signOut } from '../shared/session/session-calls';
import { IconKeyboard, IconLogout, IconShieldLock } from '../shared/ui/icons.view';
import { tellError } from '../shared/notices/notice.store';
import { useSignedIn } from '../shared/session/session.store';
import { THEMES } from '../shared/theme/theme.store';
import { isolated } from '../shared/format/direction.format';
import { CustomerText } from '../shared/ui/customer-text.view';
import { chooseLanguage, presentLanguage } from '../shared/words/language.store';
import { appWords } from './app.words';

interface Props {
  onKeys: () => void;
  onProfile: () => void;
}

/** Who is signed in, how the page looks and speaks, and the way out. */
export function AccountMenu({ onKeys, onProfile }: Props) {
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
