import { isBlank, cutText } from '@app/contracts/values/free-text';

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
