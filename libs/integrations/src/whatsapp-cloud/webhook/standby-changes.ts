import type { NumberOfOurs } from '@app/domain/webhooks/provider-events';
import { addressOf, digitsOf, requireAddress } from '../../webhooks/contact-address';
import type { ItemCollector, Reading } from '../../webhooks/item-collector';
import { UnreadableError, type Fields, timeOf } from '../../webhooks/item-fields';
import type { Change, CloudDialect } from './cloud-change';
import { ContactBook } from './contact-book';
import { bodyOf } from './message-body';
import { readMessage, readStatus } from './messages-change';

const LISTS = ['messages', 'message_echoes', 'statuses'] as const;

/** The role of the messenger's own AI (Meta: messaging_handovers). Any other app of a conversation is none of its. */
const AI_ROLE = 'ai_agent';

/** The field `standby`: what customers and another AI on the number say while that conducts their dialogs (Meta: standby). */
export function takeStandby({ value, path }: Change, items: ItemCollector, dialect: CloudDialect): void {
  const number = dialect.numberOf(value);
  const within = value.object('standby');
  const standby = within ?? value;
  const contacts = new ContactBook(standby);
  const lists = LISTS.filter((name) => standby.has(name));
  const position = within ? `${path}.standby` : path;
  if (lists.length === 0) return items.ignore(position, 'neither messages nor echoes nor statuses');
  for (const name of lists) {
    items.takeEach(standby.value(name), `${position}.${name}`, (item) => {
      if (name === 'statuses') return readStatus(item, contacts, number, dialect);
      return onStandby(
        name === 'messages'
          ? readMessage(item, standby, contacts, number)
          : readEcho(item, standby, contacts, number),
      );
    });
  }
}

function onStandby(reading: Reading): Reading {
  if ('ignored' in reading) return reading;
  const { event } = reading;
  return event.kind === 'message' || event.kind === 'echo' ? { event: { ...event, standby: true } } : reading;
}

/** What it says of itself is around the message that was sent. */
function readEcho(echo: Fields, around: Fields, contacts: ContactBook, number: NumberOfOurs): Reading {
  const message = echo.object('message') ?? echo;
  const digits = digitsOf(message, 'to') ?? digitsOf(message, 'recipient');
  const userId = message.id('to_user_id') ?? message.id('recipient_user_id');
  const to = requireAddress(contacts.complete(digits, userId), 'recipient');
  const messageId = echo.requireId('id');
  const sentAt = timeOf(echo, 'timestamp');
  return { event: { kind: 'echo', number, to, messageId, sentAt, body: bodyOf(message, around) } };
}

/**
 * The field `messaging_handovers`. Meta tells the new owner of `control_passed` and the former one of `control_taken`; one
 * that names another AI in our place is of no use to us, and is kept as a reject.
 */
export function takeHandover({ value, path }: Change, items: ItemCollector, dialect: CloudDialect): void {
  const type = value.word('type');
  if (type !== 'control_passed' && type !== 'control_taken')
    throw new UnreadableError(`"type" is neither control_passed nor control_taken`);
  const control = value.requireObject(type);
  const toUs = type === 'control_passed';
  const ours = control.word(toUs ? 'new_owner_role' : 'previous_owner_role');
  if (ours === AI_ROLE) throw new UnreadableError(`"${type}" is not about us`);
  const sender = value.requireObject('sender');
  const digits = digitsOf(sender, 'phone_number') ?? digitsOf(sender, 'wa_id');
  const contact = requireAddress(addressOf(digits, sender.id('user_id'), null), 'customer');
  const number = dialect.entryNamesOwner
    ? (value.object('recipient')?.id('phone_number_id') ?? dialect.numberOf(value))
    : null;
  const to = toUs ? 'us' : 'elsewhere';
  items.add(path, { kind: 'handover', number, contact, to, at: timeOf(value, 'timestamp') });
}
