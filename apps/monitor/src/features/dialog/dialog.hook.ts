import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { FunnelStage } from '@app/contracts/lead.words';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/page-api';
import { useLive } from '../../shared/live/live-context';
import { session } from '../../shared/session/session.store';
import { DialogStore, type DialogState } from './dialog.store';
import { namedMessage } from './timeline/named-message.hook';
import { SendingStore, type Sending } from './composer/sending.store';

/** A dialog that is open: what is known of it, and what is on its way there. */
export interface OpenDialog {
  store: DialogStore;
  state: DialogState;
  sendings: readonly Sending[];
  sending: SendingStore;
}

/**
 * Opens a dialog, and keeps it in step with the service as long as it is shown.
 * @param onRefused of a text that certainly did not go out
 */
export function useDialog(
  threadId: string,
  onRefused: (sending: Sending, error: unknown) => void,
): OpenDialog {
  const { connection } = useLive();
  const latest = useRef(onRefused);
  latest.current = onRefused;
  const [store] = useState(() => new DialogStore(threadId));
  const sending = useMemo(
    () => new SendingStore(store, (refused, error) => latest.current(refused, error)),
    [store],
  );
  useEffect(() => {
    sending.start();
    const stops = [
      connection.onThread(threadId, (event) => store.takeEvent(event)),
      // What cannot be read now is read when the connection is there again.
      connection.onGap(() => void store.refresh().catch(() => undefined)),
      session.subscribe(() => {
        if (session.state().status === 'in') void store.retry();
      }),
      () => store.stop(),
      () => sending.stop(),
    ];
    void store.open(namedMessage());
    return () => {
      for (const stop of stops) stop();
    };
  }, [connection, store, sending, threadId]);
  const state = useSyncExternalStore(store.subscribe, store.getState);
  const sendings = useSyncExternalStore(sending.subscribe, sending.getState);
  return { store, state, sendings, sending };
}

/** The stages of an agent's funnel, as the board knows them, or else as they are read. */
export function useStages(assistantId: string | null): readonly FunnelStage[] {
  const { store } = useLive();
  const board = useSyncExternalStore(store.subscribe, store.board);
  const isOnBoard = board.assistantId === assistantId && board.statuses.length > 0;
  const read = useQuery({
    queryKey: ['statuses', assistantId],
    queryFn: () => api.post('/api/v1/leads/get-statuses', { body: { assistant_id: assistantId ?? '' } }),
    enabled: assistantId !== null && !isOnBoard,
  });
  return isOnBoard ? board.statuses : (read.data?.statuses ?? []);
}
