/** Longest part of a key that a path or a message repeats, in UTF-16 code units. A key may fill a whole body. */
const SHOWN_KEY_LENGTH = 64;

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** With the flag `u` a surrogate pair is one character and does not match. */
export const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * A body that is not the JSON this service accepts. `message` is for the person who wrote the client: what is wrong
 * and where (line and column from 1; a column is a UTF-16 code unit).
 */
export class JsonError extends Error {
  override readonly name = 'JsonError';

  /**
   * @param path the wrong member, like `items[3].status_id` or `items[0]["odd key"]`; a key over 64 characters is cut
   * and ends in '…'. It is '' for an error of the whole document: its encoding, its grammar, or a key of its
   * outermost object that cannot be shown.
   */
  constructor(
    message: string,
    readonly path: string,
  ) {
    super(message);
  }
}

/** A character as a message shows it: printable ASCII unchanged, others by number, because they may be invisible. */
export function character(code: number): string {
  if (code > 0x20 && code < 0x7f) return code === 0x22 ? "'\"'" : `"${String.fromCodePoint(code)}"`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The member at the end of a trail of keys and indexes. */
export function pathOf(trail: readonly (string | number)[]): string {
  let path = '';
  for (const step of trail) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (step.length > SHOWN_KEY_LENGTH || !PLAIN_KEY.test(step)) path += `[${shown(step)}]`;
    else path += path === '' ? step : `.${step}`;
  }
  return path;
}

/** A key in double quotes, cut to a readable length. */
export function shown(key: string): string {
  if (key.length <= SHOWN_KEY_LENGTH) return JSON.stringify(key);
  return JSON.stringify(`${key.slice(0, SHOWN_KEY_LENGTH).replace(LONE_SURROGATE, '')}…`);
}
