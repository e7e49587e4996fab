import type { AttentionReason } from '@app/contracts/lead.words';
import type { PutOff, ReplyEnd, SilenceReason } from '@app/persistence/agent/reply.repository';
import type { ModelOutcome } from './language-model.port';
import type { ReplyRun } from './reply-run';
import type { Spoken } from './reply-speech';

/**
 * Most claims of one reply, including those of processes that died. A reply that kills its process must not be tried
 * for ever.
 */
const CLAIMS_MAX = 6;
/** The longest back-off that a model may ask for, because a customer is waiting. */
const MODEL_BACK_OFF_MS_MAX = 60_000;

/**
 * The reply is tried again: the back-off after the first counted try, after the second, and so on. After the last one
 * it ends.
 */
interface Retry {
  counts: 'model' | 'claim';
  backOffsMs: readonly number[];
}

const MODEL_AGAIN: Retry = { counts: 'model', backOffsMs: [2_000, 10_000] };

/** After each claim except the last. */
const claimAgain = (backOffMs: number): Retry => ({
  counts: 'claim',
  backOffsMs: new Array<number>(CLAIMS_MAX - 1).fill(backOffMs),
});

/** What follows from one way in which the work on a reply ended. */
type EndRow = {
  /** The reply's state when it is not tried again. `due`: it is always tried again, and the try does not count. */
  state: ReplyEnd['state'] | 'due';
  retry: Retry | null;
} & (
  | { history: null; attention: null }
  /** The history shows what silenced the agent. */
  | { history: 'reply_discarded'; attention: null }
  /** The history and the card show why an operator is needed. */
  | { history: 'attention'; attention: AttentionReason }
);

/** All ends of a reply, one in each line. */
// oxfmt-ignore
export const REPLY_ENDS = {
  // Spoken.
  said:              { state: 'answered',  history: null,              attention: null,        retry: null },
  broken_off:        { state: 'answered',  history: 'attention',       attention: 'messenger', retry: null },
  // The last part may or may not have been accepted, or a process died while sending it. Nothing is sent again.
  unknown:           { state: 'answered',  history: 'attention',       attention: 'unknown',   retry: null },
  // Silenced. A reply that was never begun leaves no trace in the history.
  silenced:          { state: 'discarded', history: 'reply_discarded', attention: null,        retry: null },
  silenced_unbegun:  { state: 'discarded', history: null,              attention: null,        retry: null },
  // Silenced where the customer has no answer, so an operator must know.
  too_old:           { state: 'failed',    history: 'attention',       attention: 'too_old',   retry: null },
  limit:             { state: 'failed',    history: 'attention',       attention: 'limit',     retry: null },
  // The process stops, or the number is paused. Another try follows and does not count as a failure.
  halted:            { state: 'due',       history: null,              attention: null,        retry: null },
  paused:            { state: 'due',       history: null,              attention: null,        retry: null },
  // What its customer sent is still to come, or to be transcribed.
  unheard:           { state: 'due',       history: null,              attention: null,        retry: null },
  // The account's automation is paused. Once it is resumed, another try follows.
  held:              { state: 'due',       history: null,              attention: null,        retry: null },
  // Nothing was sent.
  model_failed:      { state: 'failed',    history: 'attention',       attention: 'model',     retry: MODEL_AGAIN },
  model_refused:     { state: 'failed',    history: 'attention',       attention: 'model',     retry: null },
  claims_spent:      { state: 'failed',    history: 'attention',       attention: 'model',     retry: null },
  not_connected:     { state: 'failed',    history: 'attention',       attention: 'channel',   retry: null },
  messenger_refused: { state: 'failed',    history: 'attention',       attention: 'messenger', retry: null },
  messenger_not_now: { state: 'failed',    history: 'attention',       attention: 'messenger', retry: claimAgain(10_000) },
} as const satisfies Record<string, EndRow>;

type HowItEnded = keyof typeof REPLY_ENDS;

interface Circumstances {
  /** Of a reply that was silenced. */
  reason?: SilenceReason;
  /** What the history shows besides the reason. */
  note?: string;
  /** The model's own, which only admins see. */
  words?: string;
  /** The earliest time of the next try. */
  atLeastMs?: number;
}

/** Reads the table. */
function endOf(
  how: HowItEnded,
  { claim }: ReplyRun,
  { reason = 'superseded', note, words, atLeastMs = 0 }: Circumstances = {},
): ReplyEnd | PutOff {
  const row: EndRow = REPLY_ENDS[how];
  const { state, retry } = row;
  if (state === 'due') return { inMs: atLeastMs, counts: 'nothing' };
  if (retry) {
    const tries = retry.counts === 'model' ? claim.model_failures : claim.attempts - 1;
    const backOffMs = retry.backOffsMs[tries];
    if (backOffMs !== undefined) return { inMs: Math.max(backOffMs, atLeastMs), counts: retry.counts };
  }
  switch (row.history) {
    case null:
      return { state, entry: null };
    case 'reply_discarded':
      return { state, entry: { type: row.history, reason } };
    case 'attention':
      return {
        state,
        entry: {
          type: row.history,
          reason: row.attention,
          note: note ?? null,
          ...(words !== undefined && { words }),
        },
      };
  }
}

/** The end of a reply that needs no work. */
export function standingEnd(run: ReplyRun): ReplyEnd | PutOff | null {
  const { closed, parts, attempts } = run.claim;
  if (parts > 0) return endOf('unknown', run);
  if (closed !== null) return silencedEnd(run, closed, attempts > 1);
  return attempts > CLAIMS_MAX ? endOf('claims_spent', run) : null;
}

/** From one look for what its customer sent to the next. */
const LOOK_AGAIN_MS = 500;

/** The end of a reply to what is still to come, or to be transcribed; null: it need not wait. */
export const waitingEnd = (run: ReplyRun): ReplyEnd | PutOff | null =>
  run.claim.must_wait ? endOf('unheard', run, { atLeastMs: LOOK_AGAIN_MS }) : null;

/**
 * The end of a reply that was stopped while it was worked on. When its process stops, another process continues it at
 * once.
 */
export function stoppedEnd(run: ReplyRun, parts = 0): ReplyEnd | PutOff {
  if (run.silencedBy !== null) return silencedEnd(run, run.silencedBy, true, parts);
  return endOf(parts > 0 ? 'said' : 'halted', run);
}

/** The end of a reply whose number is paused for longer than a written reply may wait. */
export const pausedEnd = (run: ReplyRun, pausedMs: number): ReplyEnd | PutOff =>
  endOf('paused', run, { atLeastMs: pausedMs });

/** The end of a reply whose number is not connected, or whose credential cannot be opened with the present key. */
export const channelEnd = (run: ReplyRun): ReplyEnd | PutOff => endOf('not_connected', run);

/** The end of a reply whose model failed. The model is asked again where that may help, a bounded number of times. */
export const failedEnd = (
  run: ReplyRun,
  { mayRetry, retryAfterMs = 0, reason, words }: Extract<ModelOutcome, { kind: 'failed' }>,
): ReplyEnd | PutOff =>
  endOf(mayRetry ? 'model_failed' : 'model_refused', run, {
    note: reason,
    words,
    atLeastMs: Math.min(retryAfterMs, MODEL_BACK_OFF_MS_MAX),
  });

/** The end of a reply by what happened to its parts. */
export function spokenEnd(run: ReplyRun, { parts, end }: Spoken): ReplyEnd | PutOff {
  switch (end) {
    case 'all':
      return endOf('said', run);
    case 'stopped':
      return stoppedEnd(run, parts);
    case 'not_now':
      return endOf(parts > 0 ? 'broken_off' : 'messenger_not_now', run);
    case 'refused':
      return endOf(parts > 0 ? 'broken_off' : 'messenger_refused', run);
    case 'unknown':
      return endOf('unknown', run);
  }
}

function silencedEnd(run: ReplyRun, reason: SilenceReason, wasBegun: boolean, parts = 0): ReplyEnd | PutOff {
  // Nobody else has the dialog, so a person is asked for where the customer has half an answer.
  if (reason === 'paused') return endOf(parts === 0 ? 'held' : 'broken_off', run);
  if (reason === 'too_old' || reason === 'limit') return endOf(reason, run);
  return endOf(wasBegun ? 'silenced' : 'silenced_unbegun', run, { reason });
}
