import type { ReportedState } from '@app/domain/webhooks/provider-events';
import { digitsOf } from '../../webhooks/contact-address';
import type { Reading } from '../../webhooks/item-collector';
import { UnreadableError, type Fields } from '../../webhooks/item-fields';
import { pricingIn } from '../../webhooks/pricing-reading';
import { timeOf } from '../../webhooks/provider-time';
import type { CloudDialect } from './cloud-dialect';
import type { ContactBook } from './contact-book';

const WORDS_LENGTH_MAX = 1024;

/** A voice message that was played counts as read. `enqueued` comes from Gupshup only. */
const STATES: ReadonlyMap<string, ReportedState> = new Map<string, ReportedState>([
  ['enqueued', 'accepted'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
]);

/** An entry of `statuses[]`: the state of a message of ours (Meta: status messages webhooks). */
export function readStatus(
  status: Fields,
  contacts: ContactBook,
  number: string | null,
  dialect: CloudDialect,
): Reading {
  if (status.value('type') === 'set-callback') return { ignored: 'the address was tried' };
  const word = status.word('status');
  if (word === null) throw new UnreadableError('"status" is missing');
  const state = STATES.get(word);
  if (!state) return { ignored: `a status of "${word}"` };
  const isOfGroup = status.value('recipient_type') === 'group';
  const digits = isOfGroup ? null : digitsOf(status, 'recipient_id');
  const failure = state === 'failed' ? explainFailure(status, dialect) : null;
  return {
    event: {
      kind: 'state',
      number,
      state,
      ...dialect.idsOf(status, state),
      at: timeOf(status, 'timestamp'),
      error: failure && failure.error,
      optedOut: failure?.optedOut ?? false,
      ...(failure?.trouble && { trouble: failure.trouble }),
      ...pricingIn(status.object('pricing'), 'pricing_model'),
      recipient: isOfGroup ? null : contacts.complete(digits, status.id('recipient_user_id')),
    },
  };
}

/** From the first of Meta's errors, or from Gupshup's code and reason on the status. */
function explainFailure(status: Fields, dialect: CloudDialect) {
  const source = status.objects('errors')[0] ?? status;
  const words =
    source.object('error_data')?.text('details', WORDS_LENGTH_MAX) ??
    source.text('message', WORDS_LENGTH_MAX) ??
    source.text('title', WORDS_LENGTH_MAX) ??
    source.text('reason', WORDS_LENGTH_MAX) ??
    '';
  const { optedOut, trouble, ...error } = dialect.explain(source.number('code'), words);
  return { error, optedOut, trouble };
}
