import type { MessageError } from '@app/contracts/message.words';
import type { StoredOutcome } from '@app/persistence/messages/delivery/outcome.repository';
import type { SendOutcome } from './message-sender.port';

/** One attempt to send one message. */
export interface Attempt {
  accountId: string;
  id: string;
  token: string;
  /** This one included. */
  attempts: number;
  /** Milliseconds since the message was stored. */
  waitedMs: number;
  /**
   * Whether it may wait and be tried again, as a message of a list may. The caller of a single message gets the
   * answer at once.
   */
  mayWait: boolean;
}

export type Throttled = Extract<SendOutcome, { kind: 'throttled' }>;

const CONNECTING_ATTEMPTS_MAX = 5;
/** Pair limit: 1, 4, 16, 64 s (Meta: pair rate limit). */
const PAIR_ATTEMPTS_MAX = 5;
const WAITED_MS_MAX = 60 * 60_000;
const NO_SLOT_BACK_OFF_MS = 1_000;
/** For providers that name no time. */
const NUMBER_PAUSE_MS = 2_000;
/**
 * Shortest back-off after a first refusal, whatever the provider says. It doubles with each further refusal of a
 * message.
 */
const NUMBER_PAUSE_LEAST_MS = 1_000;
/** Longest back-off. A provider that does not ask for more is tried once a minute. */
const NUMBER_PAUSE_GROWN_MS = 60_000;
const RESPONSE_CHARACTERS_MAX = 65_536;

/** What is stored of an attempt's outcome: which outcomes are final, which wait, and which are never tried again. */
export function ruleOutcome(attempt: Attempt, outcome: SendOutcome): StoredOutcome {
  const base = {
    accountId: attempt.accountId,
    id: attempt.id,
    token: attempt.token,
    providerId: null,
    waId: null,
    userId: null,
    error: null,
    response: null,
    dueMs: null,
    givesBack: false,
  };
  switch (outcome.kind) {
    // An answer is stored only with an error.
    case 'accepted': {
      const { providerId, waId = null, userId = null } = outcome;
      return { ...base, status: 'sent', providerId, waId, userId };
    }
    case 'refused': {
      const error = { code: outcome.code, message: outcome.message, provider_code: outcome.providerCode };
      return { ...base, status: 'failed', error, response: responseText(outcome.response), givesBack: true };
    }
    case 'unknown':
      return {
        ...base,
        status: 'unknown',
        error: refusal(outcome.message),
        response: responseText(outcome.response),
      };
    case 'throttled': {
      const dueMs = throttledFor(attempt, outcome);
      if (attempt.mayWait && dueMs !== null) return { ...base, status: 'queued', dueMs };
      const error = refusal(outcome.message, outcome.providerCode);
      return { ...base, status: 'failed', error, response: responseText(outcome.response), givesBack: true };
    }
    case 'withheld':
      return attempt.mayWait
        ? notBegun(attempt, outcome, base)
        : { ...base, status: 'dropped', givesBack: true };
    case 'no_slot':
      return attempt.mayWait
        ? { ...base, status: 'queued', dueMs: NO_SLOT_BACK_OFF_MS }
        : { ...base, status: 'failed', error: refusal(outcome.message), givesBack: true };
    case 'not_connected':
      return notBegun(attempt, outcome, base);
  }
}

/** A message that certainly did not leave is tried again a few times, where it may wait. */
function notBegun(
  { mayWait, attempts }: Attempt,
  { message }: { message: string },
  base: Omit<StoredOutcome, 'status'>,
): StoredOutcome {
  return mayWait && attempts < CONNECTING_ATTEMPTS_MAX
    ? { ...base, status: 'queued', dueMs: 1_000 * 2 ** (attempts - 1) }
    : { ...base, status: 'failed', error: refusal(message), givesBack: true };
}

/** How long a throttled number is paused: as long as the provider asks, and longer when that does not help. */
export function backOffMs({ attempts }: Pick<Attempt, 'attempts'>, { retryAfterMs }: Throttled): number {
  const leastMs = Math.min(NUMBER_PAUSE_LEAST_MS * 2 ** (attempts - 1), NUMBER_PAUSE_GROWN_MS);
  return Math.max(retryAfterMs ?? NUMBER_PAUSE_MS, leastMs);
}

/** How long to wait before another try, for outcomes where trying again helps; else null. */
export function retryInMs(attempt: Pick<Attempt, 'attempts'>, outcome: SendOutcome): number | null {
  if (outcome.kind === 'no_slot') return NO_SLOT_BACK_OFF_MS;
  return outcome.kind === 'throttled' ? backOffMs(attempt, outcome) : null;
}

/** How long sending to a recipient is paused when a number sends them too much. */
export const recipientBackOffMs = (
  { attempts }: Pick<Attempt, 'attempts'>,
  { retryAfterMs }: Throttled,
): number => Math.max(retryAfterMs ?? 0, 1_000 * 4 ** (attempts - 1));

function throttledFor(attempt: Attempt, outcome: Throttled): number | null {
  if (attempt.waitedMs > WAITED_MS_MAX) return null;
  if (outcome.scope === 'number') return backOffMs(attempt, outcome);
  return attempt.attempts < PAIR_ATTEMPTS_MAX ? recipientBackOffMs(attempt, outcome) : null;
}

const refusal = (message: string, providerCode: number | null = null): MessageError => ({
  code: 'PROVIDER_ERROR',
  message,
  provider_code: providerCode,
});

/**
 * As JSON, whose escapes can hold what a text column cannot. An answer that is too long is stored as the beginning of
 * its text.
 */
export function responseText(response: unknown): string | null {
  if (response === null || response === undefined) return null;
  const text = JSON.stringify(response);
  if (text.length <= RESPONSE_CHARACTERS_MAX) return text;
  const words = typeof response === 'string' ? response : text;
  return JSON.stringify(words.slice(0, RESPONSE_CHARACTERS_MAX));
}

/** The provider's answer as it was stored: JSON text, or null. */
export const providerResponseOf = (kept: string | null): unknown =>
  kept === null ? null : (JSON.parse(kept) as unknown);
