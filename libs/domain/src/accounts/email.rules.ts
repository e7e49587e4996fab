/** Longest address that mail systems carry (RFC 5321, 4.5.3.1). */
export const EMAIL_LENGTH_MAX = 254;

/** One `@` between visible characters. Whether the address exists is shown by who opens the invitation. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u;

export const isEmail = (text: string): boolean => text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text);

/** The form in which addresses are compared. */
export const foldEmail = (email: string): string => email.normalize('NFKC').toLowerCase();
