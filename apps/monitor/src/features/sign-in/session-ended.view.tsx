import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { drafts } from '../../shared/drafts/draft.store';
import { session, useSession } from '../../shared/session/session.store';
import { SignInForm } from './sign-in-form';
import { signInWords } from './sign-in.words';

/** The session has ended: the page stays as it is, and one signs in over it. */
export function SessionEnded() {
  const t = signInWords.use();
  const queries = useQueryClient();
  const { status, signedIn } = useSession();
  return (
    <Modal
      opened={status === 'ended'}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('endedTitle')}
      zIndex={390}
    >
      <Stack gap="sm">
        <Text size="sm">{t('endedText')}</Text>
        <SignInForm
          email={signedIn?.user.email}
          onSignedIn={(again) => {
            session.begin(again);
            void queries.invalidateQueries();
          }}
        />
        <Button
          variant="subtle"
          size="xs"
          onClick={() => {
            // What this person typed is not for the next one.
            drafts.deleteAll();
            location.assign('/sign-in');
          }}
        >
          {t('otherPerson')}
        </Button>
      </Stack>
    </Modal>
  );
}
