import { cutText } from '@app/contracts/values/free-text';

/** A text that the database accepts: without NUL and lone surrogates, cut to a number of UTF-16 units. */
export function cleanText(text: string, maxUnits: number): string {
  return cutText(text, maxUnits).replaceAll('\0', '\ufffd').toWellFormed();
}

/** The longest beginning of a text that fits into a number of bytes as UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  // A decoder in stream mode leaves out an unfinished character.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, maxBytes), { stream: true });
}
