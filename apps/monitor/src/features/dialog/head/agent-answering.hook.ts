import type { Card } from '@app/contracts/board-events';
import { useEffect, useRef, useState } from 'react';
import type { OpenDialog } from '../dialog.hook';
import { serverNow } from '../../../shared/format/server-clock';

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
