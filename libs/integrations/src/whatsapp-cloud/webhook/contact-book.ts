import type { ContactAddress } from '@app/domain/webhooks/provider-events';
import { addressOf, digitsOf } from '../../webhooks/contact-address';
import type { Fields } from '../../webhooks/item-fields';

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
