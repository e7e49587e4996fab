import { ApiError } from '@app/client/api.errors';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useSyncExternalStore } from 'react';
import { BoardPage } from '../features/board/board.page';
import { cardFocus } from '../features/board/card/card-focus';
import { api } from '../shared/api/page-api';
import { useLive } from '../shared/live/live-context';
import { lastBoard } from '../shared/session/last-board.store';
import { checkSession } from '../shared/session/session-calls';
import { session, useSignedIn } from '../shared/session/session.store';
import { EmptyState, ErrorState, LoadingState } from '../shared/ui/states.view';
import { usePageTitle } from '../shared/ui/page-title.hook';
import { commonWords } from '../shared/words/common.words';
import { explain } from '../shared/words/error.words';
import { appWords } from './app.words';
import { lazyPart } from '../shared/parts/lazy-part';
import classes from './workspace.module.css';

const DialogPanel = lazyPart(() =>
  import('../features/dialog/dialog-panel').then((loaded) => loaded.DialogPanel),
);

/** `/board/<assistant>` and `/dialogs/<thread>`: the board, and beside it the dialog that is open. */
export function WorkspacePage() {
  const t = appWords.use();
  const common = commonWords.use();
  const { assistantId: named, threadId } = useParams({ strict: false });
  const search = useSearch({ from: '/inside/workspace' });
  const navigate = useNavigate();
  const { assistants } = useSignedIn();
  const lead = useQuery({
    queryKey: ['lead', threadId],
    queryFn: () => api.post('/api/v1/leads/get-lead', { body: { thread_id: threadId ?? '' } }),
    enabled: threadId !== undefined,
    staleTime: Infinity,
  });
  // While the agent of a dialog is asked for, the board that is there stays.
  const assistantId = named ?? lead.data?.assistant_id ?? (threadId ? lastBoard.read() : null);
  useBoardTaken(assistantId);
  usePageTitle(
    t(threadId === undefined ? 'board' : 'dialog'),
    assistants.find(({ id }) => id === assistantId)?.name,
  );
  useEffect(() => {
    if (assistantId) lastBoard.keep(assistantId);
  }, [assistantId]);

  const openDialog = useCallback(
    (id: string) => void navigate({ to: '/dialogs/$threadId', params: { threadId: id }, search: true }),
    [navigate],
  );
  const closeDialog = useCallback(async () => {
    const board = lastBoard.read();
    // Whoever closes it with the pointer goes on where the pointer is.
    const isByKeyboard = document.activeElement?.matches('aside :focus-visible') ?? false;
    if (board) await navigate({ to: '/board/$assistantId', params: { assistantId: board }, search: true });
    else await navigate({ to: '/' });
    if (isByKeyboard && threadId) requestAnimationFrame(() => cardFocus.want(threadId));
  }, [navigate, threadId]);

  return (
    <div className={classes.workspace} data-dialog={threadId !== undefined}>
      <div className={classes.board}>
        {assistantId ? (
          <BoardPage
            key={assistantId}
            assistantId={assistantId}
            search={search}
            openThreadId={threadId ?? null}
            onOpen={openDialog}
          />
        ) : lead.isPending && threadId ? (
          <LoadingState />
        ) : null}
      </div>
      {threadId !== undefined && (
        <aside className={classes.dialog}>
          {lead.error instanceof ApiError && lead.error.status === 404 ? (
            <div role="alert">
              <EmptyState
                title={explain(lead.error)}
                action={
                  <Button variant="light" size="xs" onClick={() => void closeDialog()}>
                    {common('toBoard')}
                  </Button>
                }
              />
            </div>
          ) : lead.isError ? (
            <ErrorState error={lead.error} onRetry={() => void lead.refetch()} />
          ) : (
            <Suspense fallback={<LoadingState />}>
              <DialogPanel key={threadId} threadId={threadId} onClose={() => void closeDialog()} />
            </Suspense>
          )}
        </aside>
      )}
    </div>
  );
}

const ASKED_EACH_MS = 5_000;

/**
 * A board that is refused may have been taken from this person: which ones are left, and the dialog, is asked anew, and
 * whether it was given back.
 */
function useBoardTaken(assistantId: string | null): void {
  const { connection, refusal } = useLive();
  const queries = useQueryClient();
  const code = useSyncExternalStore(refusal.subscribe, refusal.read)?.code;
  useEffect(() => {
    if (code !== 'ASSISTANT_NOT_FOUND') return;
    let isLeft = false;
    const ask = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return;
      await checkSession();
      const own = session.state().signedIn?.assistants ?? [];
      if (isLeft || !own.some(({ id }) => id === assistantId)) return;
      refusal.clear();
      connection.wake();
      await queries.invalidateQueries({ queryKey: ['lead'] });
    };
    // What fails now is asked again.
    const asked = (): void => void ask().catch(() => undefined);
    asked();
    void queries.invalidateQueries({ queryKey: ['lead'] });
    const timer = setInterval(asked, ASKED_EACH_MS);
    return () => {
      isLeft = true;
      clearInterval(timer);
    };
  }, [code, assistantId, connection, refusal, queries]);
}
