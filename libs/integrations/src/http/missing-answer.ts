import type { ProviderAnswer } from './provider-exchange';
import { readBody } from './shown-body';

/** What may be said of a request that got no whole answer. */
export interface MissingAnswer {
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
