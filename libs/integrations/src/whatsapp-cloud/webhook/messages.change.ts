import type { NumberOfOurs } from '@app/domain/webhooks/provider.events';
import { digitsOf, requireAddress } from '../../webhooks/contact.address';
import type { ItemCollector, Reading } from '../../webhooks/item.collector';
import type { Fields } from '../../webhooks/item.fields';
import { timeOf } from '../../webhooks/provider.time';
import type { Change } from './cloud.change';
import type { CloudDialect } from './cloud.dialect';
import { ContactBook } from './contact.book';
import { bodyOf } from './message.body';
import { readStatus } from './status.reading';

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

function readMessage(message: Fields, value: Fields, contacts: ContactBook, number: NumberOfOurs): Reading {
  if (message.has('group_id')) return { ignored: 'a message to a group' };
  const messageId = message.requireId('id');
  const sender = contacts.complete(digitsOf(message, 'from'), message.id('from_user_id'));
  const from = requireAddress(sender, 'sender');
  if (message.value('type') === 'system') {
    const system = message.object('system');
    const digits = digitsOf(system, 'wa_id') ?? digitsOf(system, 'new_wa_id');
    const userId = system?.id('user_id') ?? null;
    if (digits !== null || userId !== null) {
      const to = { phone: digits && `+${digits}`, userId, waId: digits };
      return { event: { kind: 'address', number, from, to, messageId } };
    }
  }
  const body = bodyOf(message, value);
  return { event: { kind: 'message', number, from, messageId, sentAt: timeOf(message, 'timestamp'), body } };
}
