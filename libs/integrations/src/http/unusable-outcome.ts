import type { SendOutcome } from '@app/domain/messages/dispatch/message-sender.port';
import type { ProviderAnswer } from './provider-exchange';
import { readBody } from './shown-body';

/** What may be said of a request that got no whole answer. */
interface MissingAnswer {
  message: string;
  /** What was received of the answer; null: nothing. */
  response: unknown;
  /** The request may have been accepted. */
  isDoubtful: boolean;
}

export function describeMissing(
  provider: string,
  answer: Exclude<ProviderAnswer, { kind: 'answered' }>,
  credential: string,
): MissingAnswer {
  if (answer.kind === 'no_slot' || answer.kind === 'withheld') {
    const message = `Too many requests to ${provider} are under way: try again in a moment.`;
    return { message, response: null, isDoubtful: false };
  }
  if (answer.kind === 'not_connected') {
    const message = `${provider} could not be reached (${answer.reason}): try again.`;
    return { message, response: null, isDoubtful: false };
  }
  const { shown } = readBody(answer.body, true, credential);
  return {
    message: `${provider} gave no whole answer (${answer.reason})`,
    response: shown,
    isDoubtful: true,
  };
}

/** Longest accepted identifier of a message: longer than any provider's, short enough for an index. */
const LONGEST_ID = 512;

/** The identifier that a provider gave to a message; null where there is none that can be stored. */
export function messageIdOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_ID ? value : null;
}

/**
 * Whether an answer with this status certainly refused the request. A 408 says that the request did not arrive whole.
 */
export const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The outcome when no answer came. */
export function outcomeWithoutAnswer(
  provider: string,
  answer: Exclude<ProviderAnswer, { kind: 'answered' }>,
  credential: string,
): SendOutcome {
  if (answer.kind === 'no_slot') {
    return {
      kind: 'no_slot',
      message: `Too many requests to ${provider} are under way: nothing was sent.`,
    };
  }
  if (answer.kind === 'withheld') {
    return { kind: 'withheld', message: 'The permission to send had run out: nothing was sent.' };
  }
  if (answer.kind === 'not_connected') {
    return {
      kind: 'not_connected',
      message: `${provider} could not be reached (${answer.reason}): nothing was sent.`,
    };
  }
  const { shown } = readBody(answer.body, true, credential);
  return unknownOutcome(provider, answer.reason, shown);
}

/** The request may have been accepted. */
export function unknownOutcome(provider: string, reason: string, response: unknown): SendOutcome {
  const message = `${provider} may or may not have taken the message (${reason}): it is not sent again by itself. See whether it arrived before sending it anew.`;
  return { kind: 'unknown', message, response };
}
