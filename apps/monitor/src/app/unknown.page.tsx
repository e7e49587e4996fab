import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { checkSession } from '../shared/session/session-calls';
import { session } from '../shared/session/session.store';
import { EmptyState } from '../shared/ui/states.view';
import { commonWords } from '../shared/words/common.words';
import { usePageTitle } from '../shared/ui/page-title.hook';

/** An address that is none of the page's. */
export function UnknownPage() {
  const t = commonWords.use();
  usePageTitle(t('unknownPage'));
  // Whoever is signed in has the other pages at hand, here too.
  useEffect(() => {
    if (session.state().status === 'unknown') checkSession().catch(() => undefined);
  }, []);
  return (
    <EmptyState
      isPage
      title={t('unknownPage')}
      hint={t('unknownPageHint')}
      action={
        <Button component={Link} to="/" variant="light" size="xs">
          {t('toBoard')}
        </Button>
      }
    />
  );
}
