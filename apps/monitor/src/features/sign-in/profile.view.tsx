import { Modal, Tabs } from '@mantine/core';
import { PasswordSection } from './password-section';
import { useOpening } from '../../shared/ui/opening.hook';
import { profileWords } from './profile.words';
import { SecondFactorSection } from './second-factor-section';
import { SessionsSection } from './sessions-section';

/** Password, second factor and sessions of the person who is signed in. */
export function Profile({ onClose }: { onClose: () => void }) {
  const t = profileWords.use();
  const opening = useOpening(onClose);
  return (
    <Modal {...opening} title={t('title')} size="lg">
      <Tabs defaultValue="password" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="password">{t('password')}</Tabs.Tab>
          <Tabs.Tab value="second-factor">{t('secondFactor')}</Tabs.Tab>
          <Tabs.Tab value="sessions">{t('sessions')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="password">
          <PasswordSection />
        </Tabs.Panel>
        <Tabs.Panel value="second-factor">
          <SecondFactorSection />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <SessionsSection />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}
