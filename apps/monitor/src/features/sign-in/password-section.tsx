import { ApiError } from '@app/client/api.errors';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api } from '../../shared/api/page-api';
import { tellDone } from '../../shared/notices/notice.store';
import { PasswordField } from '../../shared/ui/password-field.view';
import { profileWords } from './profile.words';
import { passwordFault, refusalOf } from './refusal.format';

/** Another password, by the present one. */
export function PasswordSection() {
  const t = profileWords.use();
  const queries = useQueryClient();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api.post('/api/v1/auth/change-password', { body: { current, password } });
      setCurrent('');
      setPassword('');
      tellDone(t('passwordChanged'));
      void queries.invalidateQueries({ queryKey: ['own-sessions'] });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };

  const isWrong = error instanceof ApiError && error.code === 'WRONG_PASSWORD';
  const fault = passwordFault(error, password);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {error !== null && !isWrong && fault === null && (
          <Alert color="red" role="alert">
            {refusalOf(error)}
          </Alert>
        )}
        <PasswordField
          label={t('currentPassword')}
          autoComplete="current-password"
          required
          error={isWrong ? refusalOf(error) : undefined}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordField
          label={t('newPassword')}
          description={t('passwordRules')}
          autoComplete="new-password"
          required
          error={fault}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('passwordEnds')}
          </Text>
          <Button type="submit" loading={isBusy}>
            {t('changePassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
