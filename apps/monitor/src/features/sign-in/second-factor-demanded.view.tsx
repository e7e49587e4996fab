import { Button, Modal, Stack, Text } from '@mantine/core';
import { api } from '../../shared/api/page.api';
import { drafts } from '../../shared/drafts/draft.store';
import { tellError } from '../../shared/notices/notice.store';
import { checkSession } from '../../shared/session/session.check';
import { useSignedIn } from '../../shared/session/session.store';
import { profileWords } from './profile.words';
import { SecondFactorSetup } from './second-factor-setup.view';

/** The account demands a second factor, and everything else is refused until the person has one. */
export function SecondFactorDemanded() {
  const t = profileWords.use();
  const { account } = useSignedIn();
  const signOut = async (): Promise<void> => {
    try {
      await api.post('/api/v1/auth/sign-out');
      drafts.deleteAll();
      location.assign('/sign-in');
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
        <Button variant="subtle" size="xs" onClick={() => void signOut()}>
          {t('signOut')}
        </Button>
      </Stack>
    </Modal>
  );
}
