import type { AttentionReason } from '@app/contracts/attention.words';
import type { ClaimedTurn, PutOff, TurnEnd } from '@app/persistence/agent/reply-turn.repository';
import type { ModelOutcome } from './language-model.port';
import type { Said } from './reply.speech';
import type { WatchedTurn } from './turn.watch';

/** Rests before the model is asked again that failed; then it is given up. */
const MODEL_RESTS_MS = [2_000, 10_000];
/** A model that asks for more patience is asked again even so: a customer waits. */
const MODEL_REST_MS_MAX = 60_000;
/** Before a messenger is tried again that took nothing. */
const MESSENGER_RESTS_MS = 10_000;
/** Before another look at a number whose credential the present key does not open. */
const SEALED_RESTS_MS = 60_000;
/** Claims of one turn, those of processes that died included: what kills them is not tried for ever. */
const CLAIMS_MAX = 6;

const ANSWERED: TurnEnd = { state: 'answered', entry: null };

/** An operator is asked for, and the history says why. */
const wanting = (state: TurnEnd['state'], reason: AttentionReason, note: string | null = null): TurnEnd => ({
  state,
  entry: { type: 'attention', reason, note },
});

const stateAfter = (parts: number): TurnEnd['state'] => (parts > 0 ? 'answered' : 'failed');

/** The end of a turn about which nothing is to be done. */
export function standingEnd({ closed, parts, attempts }: ClaimedTurn): TurnEnd | null {
  // A process died while it spoke: what it said, or may have said, is not said again, and the rest is not either.
  if (parts > 0) return wanting('answered', 'unknown');
  // Nobody has answered, and nobody would know.
  if (closed === 'limit' || closed === 'too_old') return wanting('failed', closed);
  if (closed !== null) {
    // Of a reply that nobody had begun there is nothing to tell.
    const entry = attempts > 1 ? { type: 'reply_discarded' as const, reason: closed } : null;
    return { state: 'discarded', entry };
  }
  return attempts > CLAIMS_MAX ? wanting('failed', 'model') : null;
}

/** How a turn ends that was silenced while it was worked on; that of a process that ends goes on elsewhere at once. */
export function stoppedEnd({ closed }: WatchedTurn): TurnEnd | PutOff {
  if (closed === null) return { inMs: 0, counts: 'nothing' };
  if (closed === 'too_old') return wanting('failed', closed);
  return { state: 'discarded', entry: { type: 'reply_discarded', reason: closed } };
}

/** By a bot's number that is not connected, or whose credential the present key does not open. */
export const channelEnd = ({ attempts }: ClaimedTurn, isSealed: boolean): TurnEnd | PutOff =>
  isSealed && attempts < CLAIMS_MAX
    ? { inMs: SEALED_RESTS_MS, counts: 'claim' }
    : wanting('failed', 'channel');

/** By a model that failed: it is asked again where that may help, and after a while given up. */
export function failedEnd(
  { model_failures: failures }: ClaimedTurn,
  { mayRetry, retryAfterMs = 0, reason }: Extract<ModelOutcome, { kind: 'failed' }>,
): TurnEnd | PutOff {
  const restMs = mayRetry ? MODEL_RESTS_MS[failures] : undefined;
  if (restMs === undefined) return wanting('failed', 'model', reason);
  return { inMs: Math.max(restMs, Math.min(retryAfterMs, MODEL_REST_MS_MAX)), counts: 'model' };
}

/** By what became of a reply's parts. */
export function saidEnd(
  { attempts }: ClaimedTurn,
  watched: WatchedTurn,
  { parts, end }: Said,
): TurnEnd | PutOff {
  switch (end) {
    case 'all':
      return ANSWERED;
    case 'stopped':
      return watched.closed === null && parts > 0 ? ANSWERED : stoppedEnd(watched);
    case 'not_now':
      return parts === 0 && attempts < CLAIMS_MAX
        ? { inMs: MESSENGER_RESTS_MS, counts: 'claim' }
        : wanting(stateAfter(parts), 'messenger');
    case 'refused':
      return wanting(stateAfter(parts), 'messenger');
    case 'unknown':
      return wanting('answered', 'unknown');
  }
}
