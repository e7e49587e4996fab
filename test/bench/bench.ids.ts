import { createHash } from 'node:crypto';

/** The same id as `md5(words)::uuid` in the database, so that ids need not be carried between the two. */
export function idOf(...words: (string | number)[]): string {
  const hex = createHash('md5').update(words.join(' ')).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
