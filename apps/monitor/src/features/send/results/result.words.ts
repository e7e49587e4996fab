import type { RecipientResult } from '@app/client/api-types';
import { providerRule } from '../../../shared/messages/provider-rule.format';
import { errorWords } from '../../../shared/words/error.words';
import { sendWords } from '../send.words';

const STATUS_WORDS = {
  sent: 'statusSent',
  failed: 'statusFailed',
  queued: 'statusQueued',
  unknown: 'statusUnknown',
} as const;

export const statusWord = (status: RecipientResult['status']): string => sendWords.say(STATUS_WORDS[status]);

/** By which rule the provider refused the message; null where only {@link reasonOf} says why it did not arrive. */
export const ruleOf = ({ error, status, provider_code: number = null }: RecipientResult): string | null =>
  error === undefined || status !== 'failed' ? null : providerRule({ code: error, provider_code: number });

/** Why a message did not arrive: by the provider's rule or in the words of the page, then in the provider's. */
export function reasonOf(result: RecipientResult): string {
  const { error, message, status } = result;
  if (error === undefined) return '';
  const ours =
    status === 'unknown'
      ? sendWords.say('unknownReason')
      : (ruleOf(result) ??
        (errorWords.has(error) ? errorWords.say(error) : sendWords.say('duplicateReason')));
  return message === undefined ? ours : `${ours} ${message}`;
}
