import type { ContactAddress, NumberOfOurs, PastMessage } from '@app/domain/webhooks/provider-events';
import { addressOf, digitsOf, requireAddress } from '../../webhooks/contact-address';
import type { ItemCollector, Reading } from '../../webhooks/item-collector';
import { type Fields, timeOf } from '../../webhooks/item-fields';
import type { Change, CloudDialect } from './cloud-change';
import { ContactBook } from './contact-book';
import { bodyOf } from './message-body';

/** States of our older messages (Meta: coexistence webhooks), also in lower case. A voice message that was played counts as read. */
const STATES: ReadonlyMap<string, PastMessage['state']> = new Map<string, PastMessage['state']>([
  ['PENDING', 'sent'],
  ['SENT', 'sent'],
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
  ['PLAYED', 'read'],
  ['ERROR', 'failed'],
]);

const TITLE_LENGTH_MAX = 200;
const ID_LENGTH_MAX = 160;

/** What is known about the dialog when a message of its list is read. */
interface Surroundings {
  number: NumberOfOurs;
  contacts: ContactBook;
  /** The digits of our number. */
  ours: string | null;
}

/** The field `smb_message_echoes`: what an operator wrote in the phone's app (Meta: coexistence webhooks). */
export function takeEchoes({ value, path }: Change, items: ItemCollector, dialect: CloudDialect): void {
  const number = dialect.numberOf(value);
  const contacts = new ContactBook(value);
  items.takeEach(value.value('message_echoes'), `${path}.message_echoes`, (echo) => {
    if (echo.has('group_id')) return { ignored: 'a message to a group' };
    const recipient = contacts.complete(
      digitsOf(echo, 'to'),
      echo.id('to_user_id') ?? echo.id('recipient_user_id'),
    );
    const to = requireAddress(recipient, 'recipient');
    const messageId = echo.requireId('id');
    const sentAt = timeOf(echo, 'timestamp');
    return { event: { kind: 'echo', number, to, messageId, sentAt, body: bodyOf(echo, value) } };
  });
}

/** The field `smb_app_state_sync`: names of the phone's address book. */
export function takeAppState({ value, path }: Change, items: ItemCollector, dialect: CloudDialect): void {
  const number = dialect.numberOf(value);
  items.takeEach(value.value('state_sync'), `${path}.state_sync`, (item): Reading => {
    const type = item.word('type');
    if (type !== 'contact') return { ignored: `a state of "${type ?? 'nothing'}"` };
    if (item.value('action') === 'remove') return { ignored: 'a contact was removed' };
    const entry = item.requireObject('contact');
    const name = entry.name('full_name') ?? entry.name('first_name');
    const address = addressOf(digitsOf(entry, 'phone_number'), entry.id('user_id'), name);
    const contact = requireAddress(address, 'contact');
    return name === null
      ? { ignored: 'a contact without a name' }
      : { event: { kind: 'contact', number, contact } };
  });
}

/** The field `history`: dialogs from before the number was connected, and later their files. */
export function takeHistory({ value, path }: Change, items: ItemCollector, dialect: CloudDialect): void {
  const ours = digitsOf(value.object('metadata'), 'display_phone_number');
  const around = { number: dialect.numberOf(value), contacts: new ContactBook(value), ours };
  const lists = ['history', 'messages'].filter((name) => value.has(name));
  if (lists.length === 0) return items.ignore(path, 'neither history nor messages');
  if (value.has('history')) {
    items.takeEach(value.value('history'), `${path}.history`, (chunk, position) => {
      takeChunk(chunk, position, items, around);
      return null;
    });
  }
  if (value.has('messages')) {
    items.takeEach(value.value('messages'), `${path}.messages`, (message) => {
      const to = digitsOf(message, 'to');
      const from = digitsOf(message, 'from');
      const contact = around.contacts.complete(from === ours ? to : from, message.id('from_user_id'));
      return readPast(message, requireAddress(contact, 'contact'), around);
    });
  }
}

function takeChunk(chunk: Fields, path: string, items: ItemCollector, around: Surroundings): void {
  if (chunk.has('errors')) {
    items.takeEach(chunk.value('errors'), `${path}.errors`, (error) => ({
      ignored: `history was not given: ${error.text('title', TITLE_LENGTH_MAX) ?? 'untitled'}`,
    }));
  }
  if (!chunk.has('threads')) return;
  items.takeEach(chunk.value('threads'), `${path}.threads`, (thread, position) => {
    const digits = digitsOf(thread, 'id');
    const id = thread.id('id');
    const isUser = digits === null && id !== null && id.length <= ID_LENGTH_MAX && /^[A-Z]{2}\./.test(id);
    const contact = requireAddress(around.contacts.complete(digits, isUser ? id : null), 'dialog');
    items.takeEach(thread.value('messages'), `${position}.messages`, (message) =>
      readPast(message, contact, around),
    );
    return null;
  });
}

function readPast(message: Fields, contact: ContactAddress, { number, ours }: Surroundings): Reading {
  if (message.value('type') === 'media_placeholder') {
    return { ignored: 'stands for a file that comes by itself, if it is not too old' };
  }
  const state = message.object('history_context')?.word('status')?.toUpperCase() ?? '';
  const event = {
    kind: 'past' as const,
    number,
    contact,
    fromCustomer: isFromCustomer(message, contact, ours),
    state: STATES.get(state) ?? 'delivered',
    messageId: message.requireId('id'),
    sentAt: timeOf(message, 'timestamp'),
    body: bodyOf(message),
  };
  return { event };
}

/** By the message's own field, else by the numbers. A customer without a number has a user id. */
function isFromCustomer(message: Fields, contact: ContactAddress, ours: string | null): boolean {
  const fromMe = message.value('from_me') ?? message.object('history_context')?.value('from_me');
  if (typeof fromMe === 'boolean') return !fromMe;
  const from = digitsOf(message, 'from');
  if (from === null) return message.has('from_user_id');
  return contact.waId !== null ? from === contact.waId : from !== ours;
}
