/** An API key, or the greater part of one. */
const KEY = /ll_[\w-]{12,}/g;

/** A text of a caller's that goes into a log: a key pasted where an id belongs must not be kept there. */
export const withoutKeys = (text: string): string => text.replace(KEY, 'll_…');
