import type { RecipientResult } from '@app/client/api.types';
import { providerRule } from '../../shared/messages/provider-rule.format';
import { errorWords } from '../../shared/words/error.words';
import { sendWords } from './send.words';

const STATUS_WORDS = {
  sent: 'statusSent',
  failed: 'statusFailed',
  queued: 'statusQueued',
  unknown: 'statusUnknown',
} as const;

export const statusWord = (status: RecipientResult['status']): string => sendWords.say(STATUS_WORDS[status]);

/** Of the provider's answer. */
function numberIn(response: unknown): number | null {
  const { error, code } = (response ?? {}) as { error?: { code?: unknown }; code?: unknown };
  const number = Number(error?.code ?? code ?? Number.NaN);
  return Number.isInteger(number) ? number : null;
}

/** By which rule the provider refused the message; null where only {@link reasonOf} says why it did not arrive. */
export const ruleOf = ({ error, status, provider_response: response }: RecipientResult): string | null =>
  error === undefined || status !== 'failed'
    ? null
    : providerRule({ code: error, provider_code: numberIn(response) });

/** Why a message did not arrive: in the words of the page, then in the provider's. */
export function reasonOf({ error, message, status }: RecipientResult): string {
  if (error === undefined) return '';
  const ours =
    status === 'unknown'
      ? sendWords.say('unknownReason')
      : errorWords.has(error)
        ? errorWords.say(error)
        : sendWords.say('duplicateReason');
  return message === undefined ? ours : `${ours} ${message}`;
}
