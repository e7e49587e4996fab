/** An API key, or most of one. */
const KEY = /ll_[\w-]{12,}/g;

/** Masks keys in a text of a caller that goes into a log: a key pasted in place of an id must not be kept there. */
export const withoutKeys = (text: string): string => text.replace(KEY, 'll_…');

/** A path without keys, also those written with percent signs. */
export function pathWithoutKeys(path: string): string {
  if (!path.includes('%')) return withoutKeys(path);
  let plain: string;
  try {
    plain = decodeURIComponent(path);
  } catch {
    return 'not decodable';
  }
  const masked = withoutKeys(plain);
  return masked === plain ? path : masked;
}
