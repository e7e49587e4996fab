import { isBlank, cutText } from '@app/contracts/values/free-text';

/** Longest address that mail systems carry (RFC 5321, 4.5.3.1). */
const EMAIL_LENGTH_MAX = 254;

/** Words between single dots. Brackets and commas stand around addresses, not within. */
const WORDS = String.raw`[^\s@<>,.\p{C}]+(?:\.[^\s@<>,.\p{C}]+)*`;
/** One `@` between visible characters. Whether the address exists is shown by who opens the invitation. */
const EMAIL = new RegExp(`^(?=[^@]{1,64}@[^@]{1,255}$)${WORDS}@${WORDS}$`, 'u');

/** Whether it is an address, also in the form in which it is compared, where a wide ＠ is one too. */
export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text) && EMAIL.test(foldEmail(text));

/** The form in which addresses are compared. */
export const foldEmail = (email: string): string => email.normalize('NFKC').toLowerCase();

/** Line breaks and other control characters, and those that turn the order of what is written around them. */
const UNREADABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
const EACH_UNREADABLE = new RegExp(UNREADABLE, 'gu');

/** Whether a name of a person can be shown within a line: something visible, and nothing that hides or moves the rest. */
export const isPersonName = (text: string, maxLength: number): boolean =>
  !isBlank(text) && text.length <= maxLength && !UNREADABLE.test(text);

/** What of a text can be a person's name: without what {@link isPersonName} refuses, and cut. Empty where nothing is left. */
export function asPersonName(text: string, maxLength: number): string {
  const name = cutText(text.replace(EACH_UNREADABLE, ' ').trim(), maxLength).trimEnd();
  return isPersonName(name, maxLength) ? name : '';
}
