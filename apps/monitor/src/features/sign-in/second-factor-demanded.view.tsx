import { Button, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { tellError } from '../../shared/notices/notice.store';
import { checkSession, signOut } from '../../shared/session/session-calls';
import { useSignedIn } from '../../shared/session/session.store';
import { profileWords } from './profile.words';
import { SecondFactorSetup } from './second-factor-setup.view';

/** The account demands a second factor, and everything else is refused until the person has one. */
export function SecondFactorDemanded() {
  const t = profileWords.use();
  const { account } = useSignedIn();
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
      await navigate({ to: '/sign-in', search: {} });
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('demandedTitle')}
      zIndex={380}
    >
      <Stack gap="sm">
        <Text size="sm">{t('demandedText', { account: account.name })}</Text>
        <SecondFactorSetup onDone={() => void checkSession().catch(tellError)} />
        <Button variant="subtle" size="xs" onClick={() => void leave()}>
          {t('signOut')}
        </Button>
      </Stack>
    </Modal>
  );
}
