import type { NumberOfOurs, SharedPhone } from '@app/domain/webhooks/provider-events';
import { addressOf, digitsOf, requireAddress } from '../../webhooks/contact-address';
import type { ItemCollector, Reading } from '../../webhooks/item-collector';
import type { Fields } from '../../webhooks/item-fields';
import { timeOf } from '../../webhooks/provider-time';
import type { Change } from './cloud-change';
import type { CloudDialect } from './cloud-dialect';
import { ContactBook } from './contact-book';
import { bodyOf } from './message-body';
import { readStatus } from './status-reading';

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
