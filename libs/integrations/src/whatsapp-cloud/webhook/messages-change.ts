import type { ReportedState, NumberOfOurs, SharedPhone } from '@app/domain/webhooks/provider-events';
import { digitsOf, addressOf, requireAddress } from '../../webhooks/contact-address';
import type { Reading, ItemCollector } from '../../webhooks/item-collector';
import { UnreadableError, type Fields, timeOf } from '../../webhooks/item-fields';
import { pricingIn } from '../../webhooks/small-content';
import type { CloudDialect, Change } from './cloud-change';
import { ContactBook } from './contact-book';
import { bodyOf } from './message-body';

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

const TITLE_LENGTH_MAX = 200;

/** The field `messages`: customers' messages, and statuses of our messages (Meta: messages webhooks). */
export function takeMessages({ value, path }: Change, items: ItemCollector, dialect: CloudDialect): void {
  const number = dialect.numberOf(value);
  const contacts = new ContactBook(value);
  const lists = ['messages', 'statuses', 'errors'].filter((name) => value.has(name));
  if (lists.length === 0) return items.ignore(path, 'neither messages nor statuses');
  for (const name of lists) {
    items.takeEach(value.value(name), `${path}.${name}`, (item) => {
      if (name === 'messages') return readMessage(item, value, contacts, number);
      if (name === 'statuses') return readStatus(item, contacts, number, dialect);
      return { ignored: `an error of the number: ${item.text('title', TITLE_LENGTH_MAX) ?? 'untitled'}` };
    });
  }
}

/** A customer's message, or what it says of the customer's address. */
export function readMessage(
  message: Fields,
  value: Fields,
  contacts: ContactBook,
  number: NumberOfOurs,
): Reading {
  if (message.has('group_id')) return { ignored: 'a message to a group' };
  const messageId = message.requireId('id');
  const change = message.value('type') === 'system' ? readAddressChange(message, messageId, number) : null;
  if (change) return change;
  const sender = contacts.complete(digitsOf(message, 'from'), message.id('from_user_id'));
  const from = requireAddress(sender, 'sender');
  const body = bodyOf(message, value);
  const shared = sharedPhone(message);
  const sentAt = timeOf(message, 'timestamp');
  return { event: { kind: 'message', number, from, messageId, sentAt, body, ...(shared && { shared }) } };
}

/**
 * `user_changed_number` and `user_changed_user_id`. Whose they were: the former user id where it is told, else the sender, whose
 * user id may be the new one already. So of a new user id the sender's phone tells it before that.
 */
function readAddressChange(message: Fields, messageId: string, number: NumberOfOurs): Reading | null {
  const system = message.object('system');
  const type = system?.word('type') ?? '';
  const isOfUser = type === 'user_changed_user_id';
  // It tells a change of the user id alone: a number beside it is that of the customer as they were before.
  const told = digitsOf(system, 'wa_id') ?? digitsOf(system, 'new_wa_id');
  const digits = isOfUser ? null : told;
  const userId = system?.id('user_id') ?? null;
  if (digits === null && userId === null) return null;
  const sender = message.id('from_user_id');
  const former = system?.id('previous_user_id') ?? message.id('previous_user_id');
  const was = former ?? (sender === userId ? null : sender);
  const fromDigits = digitsOf(message, 'from') ?? (isOfUser ? told : null);
  const from = requireAddress(addressOf(fromDigits, was, null), 'customer as they were before');
  const to = { phone: digits && `+${digits}`, userId, waId: digits };
  const phoneFirst = isOfUser && former === null;
  return { event: { kind: 'address', number, from, ...(phoneFirst && { phoneFirst }), to, messageId } };
}

/** The phone that a customer shared when asked for it; other cards may be anybody's. */
function sharedPhone(message: Fields): SharedPhone | null {
  for (const card of message.objects('contacts')) {
    if ((card.word('origin') ?? message.word('origin')) !== 'contact_request') continue;
    for (const phone of card.objects('phones')) {
      const digits = digitsOf(phone, 'wa_id') ?? digitsOf(phone, 'phone');
      if (digits !== null) return { phone: `+${digits}`, waId: digitsOf(phone, 'wa_id') };
    }
  }
  return null;
}
