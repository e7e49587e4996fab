import { digitsOf, requireAddress } from '../../webhooks/contact-address';
import type { ItemCollector, Reading } from '../../webhooks/item-collector';
import type { Fields } from '../../webhooks/item-fields';
import { timeOf } from '../../webhooks/provider-time';
import type { Change } from './cloud-change';
import type { CloudDialect } from './cloud-dialect';
import { ContactBook } from './contact-book';

/** The field `user_preferences`: WhatsApp's own control for stopping marketing (Meta: user_preferences webhooks). */
export function takePreferences({ value, path }: Change, items: ItemCollector, dialect: CloudDialect): void {
  const number = dialect.numberOf(value);
  const contacts = new ContactBook(value);
  items.takeEach(value.value('user_preferences'), `${path}.user_preferences`, (item) =>
    readPreference(item, contacts, number),
  );
}

export function readPreference(item: Fields, contacts: ContactBook, number: string | null): Reading {
  const value = item.word('value');
  if (value !== 'stop' && value !== 'resume') return { ignored: `a preference of "${value ?? 'nothing'}"` };
  const address = contacts.complete(digitsOf(item, 'wa_id'), item.id('user_id'));
  const contact = requireAddress(address, 'customer');
  return { event: { kind: 'preference', number, contact, value, at: timeOf(item, 'timestamp') } };
}
