import type { ContactAddress } from '@app/domain/webhooks/provider-events';
import { addressOf, digitsOf, requireAddress } from '../../webhooks/contact-address';
import type { ItemCollector, Reading } from '../../webhooks/item-collector';
import { type Fields, timeOf } from '../../webhooks/item-fields';
import type { Change, CloudDialect } from './cloud-change';

/**
 * The contacts of a change. They name the people of its messages and statuses: by number, by user id, or as the only
 * contact.
 */
export class ContactBook {
  private readonly byDigits = new Map<string, Fields>();
  private readonly byUserId = new Map<string, Fields>();
  private readonly only: Fields | null;

  constructor(value: Fields) {
    const contacts = value.objects('contacts');
    this.only = contacts.length === 1 ? (contacts[0] ?? null) : null;
    for (const contact of contacts) {
      const [digits, userId] = [digitsOf(contact, 'wa_id'), contact.id('user_id')];
      if (digits !== null) this.byDigits.set(digits, contact);
      if (userId !== null) this.byUserId.set(userId, contact);
    }
  }

  /** A message may lack either. A user who hides the number has no digits (Meta: business-scoped user ids). */
  complete(digits: string | null, userId: string | null): ContactAddress | null {
    const contact = this.find(digits, userId);
    return addressOf(
      digits ?? digitsOf(contact, 'wa_id'),
      userId ?? contact?.id('user_id') ?? null,
      contact?.object('profile')?.name('name') ?? null,
      // Some examples of Meta's write it with its sign.
      contact?.object('profile')?.name('username')?.replace(/^@/, '') || null,
    );
  }

  private find(digits: string | null, userId: string | null): Fields | null {
    const known =
      (digits !== null ? this.byDigits.get(digits) : undefined) ??
      (userId !== null ? this.byUserId.get(userId) : undefined);
    if (known) return known;
    const isAnother =
      (digits !== null && digitsOf(this.only, 'wa_id') !== null) ||
      (userId !== null && this.only?.has('user_id') === true);
    return isAnother ? null : this.only;
  }
}

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
