/** An API key, or the greater part of one. */
const KEY = /ll_[\w-]{12,}/g;

/** A text of a caller's that goes into a log: a key pasted where an id belongs must not be kept there. */
export const withoutKeys = (text: string): string => text.replace(KEY, 'll_…');

/** A path without keys, also such as were written with percent signs. */
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
