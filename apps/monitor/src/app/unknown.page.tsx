import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../shared/ui/states.view';
import { commonWords } from '../shared/words/common.words';

/** An address that is none of the page's. */
export function UnknownPage() {
  const t = commonWords.use();
  return (
    <EmptyState
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
