import { ApiError } from '@app/client/api.errors';
import type { SignedInAnswer } from '@app/client/api-types';
import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { api } from '../../shared/api/page-api';
import { tellTabs } from '../../shared/session/session-calls';
import { PasswordField } from '../../shared/ui/password-field.view';
import { refusalOf } from './refusal.format';
import { signInWords } from './sign-in.words';

interface Props {
  /** Whose session it was. Another person signs in elsewhere. */
  email?: string;
  onSignedIn: (signedIn: SignedInAnswer) => void;
}

/** E-mail, password and, where the server asks for it, the code of the second factor. */
export function SignInForm({ email: fixedEmail, onSignedIn }: Props) {
  const t = signInWords.use();
  const [email, setEmail] = useState(fixedEmail ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const second = needsCode ? { code: code.trim() } : {};
      onSignedIn(
        await api.post('/api/v1/auth/sign-in', { body: { email: email.trim(), password, ...second } }),
      );
      tellTabs();
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.code === 'CODE_REQUIRED' && !needsCode) setNeedsCode(true);
      else setError(refusal);
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {error !== null && (
          <Alert color="red" role="alert">
            {refusalOf(error, needsCode)}
          </Alert>
        )}
        <TextInput
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username"
          required
          readOnly={fixedEmail !== undefined}
          autoFocus={fixedEmail === undefined}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t('password')}
          name="password"
          autoComplete="current-password"
          required
          data-autofocus={fixedEmail !== undefined || undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
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
          {t('signIn')}
        </Button>
      </Stack>
    </form>
  );
}
