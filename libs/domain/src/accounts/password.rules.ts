import { dictionary } from '@zxcvbn-ts/language-common';
import { foldEmail } from './email.rules';

export const PASSWORD_LENGTH_MIN = 10;
export const PASSWORD_LENGTH_MAX = 200;
/** A shorter local part, such as "ann", is in too many words. */
const LOCAL_PART_MIN = 4;

/** The commonest passwords of leaks, in small letters, of those that are long enough. */
const COMMON = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_LENGTH_MIN),
);

/** What is wrong with a new password; null when it may be used. It is used as it is, blanks included. */
export function passwordViolation(password: string, email: string): string | null {
  // Characters as people count them: an emoji is one.
  const { length } = [...password];
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX)
    return `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`;
  const folded = password.normalize('NFKC').toLowerCase();
  if (COMMON.has(folded) || new Set(folded).size === 1)
    return 'is one of the commonest passwords: choose another';
  const address = foldEmail(email);
  const local = address.slice(0, address.lastIndexOf('@'));
  if (folded.includes(address) || (local.length >= LOCAL_PART_MIN && folded.includes(local)))
    return 'must not contain your e-mail address';
  return null;
}
