import { contactOf } from '@app/contracts/values/phone.words';
import type { ThreadAddress } from '@app/persistence/messages/incoming/incoming.repository';
import type { ContactAddress } from './provider-events';

/**
 * The customer's address for finding a dialog: the phone, else the user id.
 * @throws Error where neither is given.
 */
export function threadAddressOf({
  phone,
  userId,
  waId,
  name,
  username = null,
}: ContactAddress): ThreadAddress {
  const contact = phone === null ? userId : contactOf(phone);
  if (contact === null) throw new Error('It names neither a phone nor a user id.');
  return { contact, phone, userId, waId, name: name?.trim() || null, username };
}
