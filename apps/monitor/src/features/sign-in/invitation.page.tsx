import { ApiError } from '@app/client/api.errors';
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api } from '../../shared/api/page-api';
import { tellTabs } from '../../shared/session/session-calls';
import { session } from '../../shared/session/session.store';
import { PasswordField } from '../../shared/ui/password-field.view';
import { Entrance } from './entrance.view';
import { passwordFault, refusalOf } from './refusal.format';
import { signInWords } from './sign-in.words';

/** `/invitation#<token>`: sets the password, and signs in. Opening it uses nothing up. */
export function InvitationPage() {
  const t = signInWords.use();
  const [token] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigate();
  const fault = passwordFault(error, password);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const second = needsCode ? { code: code.trim() } : {};
      session.begin(
        await api.post('/api/v1/auth/accept-invitation', { body: { token, password, ...second } }),
      );
      tellTabs();
      await navigate({ to: '/', replace: true });
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.code === 'CODE_REQUIRED' && !needsCode) setNeedsCode(true);
      else setError(refusal);
      setBusy(false);
    }
  };

  return (
    <Entrance title={t('invitationTitle')}>
      {token === '' ? (
        <Text role="alert">{t('noToken')}</Text>
      ) : (
        <form onSubmit={(event) => void submit(event)}>
          <Stack gap="sm">
            <Text size="sm">{t('invitationText')}</Text>
            {error !== null && fault === null && (
              <Alert color="red" role="alert">
                {error instanceof ApiError && error.code === 'SIGN_IN_FAILED'
                  ? t('wrongCode')
                  : refusalOf(error)}
              </Alert>
            )}
            <PasswordField
              label={t('newPassword')}
              name="password"
              autoComplete="new-password"
              required
              autoFocus
              error={fault}
              value={password}
              onChange={(event) => {
                setPassword(event.currentTarget.value);
                if (fault !== null) setError(null);
              }}
            />
            {needsCode && (
              <TextInput
                label={t('code')}
                description={t('codeHint')}
                name="code"
                autoComplete="one-time-code"
                required
                autoFocus
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
            )}
            <Button type="submit" loading={isBusy}>
              {t('setPassword')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} to="/sign-in" size="sm" lh="24px">
        {t('toSignIn')}
      </Anchor>
    </Entrance>
  );
}
