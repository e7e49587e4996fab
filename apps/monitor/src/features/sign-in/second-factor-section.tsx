import { ApiError } from '@app/client/api.errors';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { api } from '../../shared/api/page-api';
import { tellDone, tellError } from '../../shared/notices/notice.store';
import { checkSession } from '../../shared/session/session-calls';
import { useSignedIn } from '../../shared/session/session.store';
import { PasswordField } from '../../shared/ui/password-field.view';
import { profileWords } from './profile.words';
import { refusalOf } from './refusal.format';
import { SecondFactorSetup } from './second-factor-setup.view';

/** Whether a code is asked for at sign-in, and the way to the other. */
export function SecondFactorSection() {
  const t = profileWords.use();
  const { user } = useSignedIn();
  return (
    <Stack gap="sm">
      <Text size="sm">{t(user.second_factor ? 'secondFactorOn' : 'secondFactorOff')}</Text>
      {user.second_factor ? (
        <DisableForm />
      ) : (
        <SecondFactorSetup
          onDone={() => {
            tellDone(t('enabled'));
            void checkSession().catch(tellError);
          }}
        />
      )}
    </Stack>
  );
}

function DisableForm() {
  const t = profileWords.use();
  const { account } = useSignedIn();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api.post('/api/v1/auth/second-factor/disable', { body: { password, code: code.trim() } });
      tellDone(t('disabled'));
      await checkSession();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  const isWrong = error instanceof ApiError && error.code === 'WRONG_PASSWORD';
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('disableText')}
        </Text>
        {account.second_factor_required && (
          <Text size="sm">{t('requiredByAccount', { account: account.name })}</Text>
        )}
        {error !== null && (
          <Alert color="red" role="alert">
            {isWrong ? t('wrongDisable') : refusalOf(error)}
          </Alert>
        )}
        <PasswordField
          label={t('password')}
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <TextInput
          label={t('disableCode')}
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" variant="default" loading={isBusy}>
            {t('disable')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
