import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { session, useSession } from '../../shared/session/session.store';
import { suggestLanguage } from '../../shared/words/language.store';
import { Entrance } from './entrance.view';
import { SignInForm } from './sign-in-form';
import { signInWords } from './sign-in.words';

/** Only addresses of this page are led to. */
const ownAddress = (to: string | undefined): string => (to && /^\/(?![/\\])/.test(to) ? to : '/');

/** `/sign-in`: and back to where the person came from. */
export function SignInPage() {
  const t = signInWords.use();
  const { to } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const { status } = useSession();
  useEffect(() => {
    if (status === 'in') void navigate({ href: ownAddress(to), replace: true });
  }, [status, to, navigate]);
  return (
    <Entrance title={t('title')}>
      <SignInForm
        onSignedIn={(signedIn) => {
          suggestLanguage(signedIn.user.locale);
          session.begin(signedIn);
        }}
      />
    </Entrance>
  );
}
