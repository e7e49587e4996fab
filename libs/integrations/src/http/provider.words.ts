/** Longest piece of a provider's own words inside a message of ours. */
const LONGEST_QUOTE = 500;

/** The greatest code that is kept: PostgreSQL's integer. */
const GREATEST_CODE = 2_147_483_647;

const NOTHING_SAID = 'The provider gave no reason.';

/** The provider's words, fit to be stored and shown: no NUL, no lone surrogates, of bounded length. */
function tidy(words: string): string {
  return words.slice(0, LONGEST_QUOTE).toWellFormed().replaceAll('\u0000', '').trim();
}

/**
 * Joins our text of an error and the provider's own words. A text that ends in a colon is followed by them; any other
 * is used alone; without a text, the words are used alone.
 */
export function quoteProvider(text: string | undefined, words: string): string {
  const said = tidy(words);
  if (text === undefined) return said || NOTHING_SAID;
  if (!text.endsWith(':')) return text;
  return said ? `${text} ${said}` : `${text.slice(0, -1)}.`;
}

/** A provider's error code as a number that can be stored; providers also send digits as text. Null: it is no code. */
export function errorCodeOf(code: unknown): number | null {
  const number = typeof code === 'string' && /^\d{1,10}$/.test(code) ? Number(code) : code;
  if (typeof number !== 'number' || !Number.isInteger(number)) return null;
  return number >= 0 && number <= GREATEST_CODE ? number : null;
}
