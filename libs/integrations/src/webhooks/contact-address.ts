import type { ContactAddress } from '@app/domain/webhooks/provider-events';
import { UnreadableError, type Fields } from './item-fields';

/** As in E.164: a country code never begins with 0, and shorter numbers belong to groups or services. */
const DIGITS = /^[1-9]\d{6,14}$/;
const WRITTEN_AROUND = /[\s()-]/g;

/** The digits of a number, with or without a plus; null when it is no phone number. */
export function digitsOf(fields: Fields | null, name: string): string | null {
  const text = fields?.text(name, 64);
  const digits = text?.replace(WRITTEN_AROUND, '').replace(/^(\+|00)/, '') ?? '';
  return DIGITS.test(digits) ? digits : null;
}

/** @returns null when nothing names the contact. */
export function addressOf(
  digits: string | null,
  userId: string | null,
  name: string | null,
  username: string | null = null,
): ContactAddress | null {
  if (digits === null && userId === null) return null;
  return {
    phone: digits && `+${digits}`,
    userId,
    waId: digits,
    name,
    ...(username !== null && { username }),
  };
}

/** @throws UnreadableError when nothing names the contact. */
export function requireAddress(address: ContactAddress | null, who: string): ContactAddress {
  if (!address) throw new UnreadableError(`neither a phone nor a user id names the ${who}`);
  return address;
}
