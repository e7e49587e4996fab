import { isBlank } from '@app/contracts/blank.text';

/** Line breaks and other control characters, and those that turn the order of what is written around them. */
const UNREADABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** Whether a name of a person can be shown within a line: something visible, and nothing that hides or moves the rest. */
export const isPersonName = (text: string, maxLength: number): boolean =>
  !isBlank(text) && text.length <= maxLength && !UNREADABLE.test(text);
