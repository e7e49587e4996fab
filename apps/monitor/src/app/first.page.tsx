import { Button } from '@mantine/core';
import { Link, Navigate } from '@tanstack/react-router';
import { lastBoard } from '../shared/session/last-board.store';
import { useIsAdmin, useSignedIn } from '../shared/session/session.store';
import { EmptyState } from '../shared/ui/states.view';
import { usePageTitle } from '../shared/ui/page-title.hook';
import { appWords } from './app.words';

/** `/` leads to the last board, or to the first one. */
export function FirstPage() {
  const t = appWords.use();
  usePageTitle(t('board'));
  const { assistants } = useSignedIn();
  const isAdmin = useIsAdmin();
  const last = lastBoard.read();
  const assistant = assistants.find(({ id }) => id === last) ?? assistants[0];
  if (assistant)
    return <Navigate to="/board/$assistantId" params={{ assistantId: assistant.id }} search={{}} replace />;
  return (
    <EmptyState
      isPage
      title={t('noAgents')}
      hint={isAdmin ? t('noAgentsAdmin') : t('noAgentsOperator')}
      action={
        isAdmin && (
          <Button component={Link} to="/settings/assistants" size="xs">
            {t('makeAgent')}
          </Button>
        )
      }
    />
  );
}
