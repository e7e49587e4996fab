import type { RecipientResult } from '@app/client/api.types';
import { errorWords } from '../../shared/words/error.words';
import { sendWords } from './send.words';

const STATUS_WORDS = {
  sent: 'statusSent',
  failed: 'statusFailed',
  queued: 'statusQueued',
  unknown: 'statusUnknown',
} as const;

export const statusWord = (status: RecipientResult['status']): string => sendWords.say(STATUS_WORDS[status]);

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
