import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/page-api';
import { commonWords } from '../words/common.words';
import { explain } from '../words/error.words';
import { useAskedConfirmation } from './confirmation.store';
import { PasswordField } from './password-field.view';

/** Asks for the password where a grave change needs it. */
export function ConfirmationDialog() {
  const asked = useAskedConfirmation();
  const t = commonWords.use();
  return (
    <Modal
      opened={asked !== null}
      onClose={() => asked?.answer(false)}
      title={t('confirmTitle')}

      zIndex={350}
    >
      {asked && <PasswordForm onAnswer={asked.answer} />}
    </Modal>
  );
}

function PasswordForm({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const t = commonWords.use();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.post('/api/v1/auth/confirm', { body: { password } });
      onAnswer(true);
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('confirmText')}</Text>
        <PasswordField
          label={t('password')}
          autoComplete="current-password"
          data-autofocus
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={error === null ? undefined : explain(error)}
        />
        <Group className="ll-answers" justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onAnswer(false)}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
