/** An API key, or most of one. */
const KEY = /ll_[\w-]{12,}/g;
/** A signed address opens its file to anybody who has it, for an hour. */
const FILE_LINK = /\/files\/.+/is;

/** Masks keys in a text of a caller that goes into a log: a key pasted in place of an id must not be kept there. */
export const withoutKeys = (text: string): string => text.replace(KEY, 'll_…');

/** A path without keys and signed addresses, also those written with percent signs. */
export function pathWithoutSecrets(path: string): string {
  if (!path.includes('%')) return withoutSecrets(path);
  let plain: string;
  try {
    plain = decodeURIComponent(path);
  } catch {
    return 'not decodable';
  }
  const masked = withoutSecrets(plain);
  return masked === plain ? path : masked;
}

const withoutSecrets = (path: string): string => withoutKeys(path).replace(FILE_LINK, '/files/…');
