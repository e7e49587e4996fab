/** Longest address that mail systems carry (RFC 5321, 4.5.3.1). */
export const EMAIL_LENGTH_MAX = 254;

/** Words between single dots. Brackets and commas stand around addresses, not within. */
const WORDS = String.raw`[^\s@<>,.\p{C}]+(?:\.[^\s@<>,.\p{C}]+)*`;
/** One `@` between visible characters. Whether the address exists is shown by who opens the invitation. */
const EMAIL = new RegExp(`^(?=[^@]{1,64}@[^@]{1,255}$)${WORDS}@${WORDS}$`, 'u');

/** Whether it is an address, also in the form in which it is compared, where a wide ＠ is one too. */
export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text) && EMAIL.test(foldEmail(text));

/** The form in which addresses are compared. */
export const foldEmail = (email: string): string => email.normalize('NFKC').toLowerCase();
