import type { Card } from '@app/contracts/board-events';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { FunnelStage } from '@app/contracts/lead.words';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/page-api';
import { serverNow } from '../../shared/format/server-clock';
import { useLive } from '../../shared/live/live-context';
import { session } from '../../shared/session/session.store';
import { DialogStore, type DialogState } from './dialog.store';
import { SendingStore, type Sending } from './composer/sending.store';

/** Whether free texts can be sent now: for 24 hours after the customer has written. */
export const isWindowOpen = ({ window_until: until }: Pick<Card, 'window_until'>, now: number): boolean =>
  until !== null && Date.parse(until) > now;

const NAMED = /^#?message-([\w-]+)$/;

/** `#message-<id>`: the message at which a dialog opens. */
const namedMessage = (): string | null => NAMED.exec(location.hash)?.[1] ?? null;

/** The same, as the address changes. */
export const useNamedMessage = (): string | null =>
  useLocation({ select: ({ hash }) => NAMED.exec(hash)?.[1] ?? null });

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

/** A reply that has not come by then is not on its way any more. */
const MOST_MS = 120_000;

interface AgentAnswering {
  isAnswering: boolean;
  /** A call has said that the agent answers. */
  expect: () => void;
}

/** Whether the agent is preparing an answer: the customer wrote while it conducts the dialog, or a call said so. */
export function useAgentAnswering({ state }: OpenDialog, card: Card, isMuted: boolean): AgentAnswering {
  const [since, setSince] = useState<string | null>(null);
  const known = useRef(state.messages.at(-1)?.message.id);
  const conducts =
    card.ai_enabled &&
    card.message_handler === 'AI' &&
    !isMuted &&
    !card.opted_out &&
    card.erased_at === null;
  const newest = state.messages.at(-1)?.message;
  useEffect(() => {
    if (!newest || newest.id === known.current) return;
    known.current = newest.id;
    setSince(newest.role === 'USER' ? newest.created_at : null);
  }, [newest]);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSince(null), MOST_MS);
    return () => clearTimeout(timer);
  }, [since]);
  // It failed, or it handed over: a person is asked for.
  const isAskedFor = card.attention !== null && since !== null && card.attention.since > since;
  return {
    isAnswering: since !== null && conducts && card.waiting && !isAskedFor,
    expect: () => setSince(new Date(serverNow()).toISOString()),
  };
}
