/** Longest piece of a provider's words inside a message of ours. */
const LONGEST_QUOTE = 500;

/** The greatest code that is kept: PostgreSQL's integer. */
const GREATEST_CODE = 2_147_483_647;

const NO_REASON = 'The provider gave no reason.';

/** The provider's words, fit to be stored and shown: no NUL, no lone surrogates, of bounded length. */
function tidy(words: string): string {
  return words.slice(0, LONGEST_QUOTE).toWellFormed().replaceAll('\u0000', '').trim();
}

/**
 * Joins our text for an error and the provider's words. A text that ends in a colon is followed by the words. Any
 * other text is used without them. Without a text, only the words are used.
 */
export function quoteProvider(text: string | undefined, words: string): string {
  const said = tidy(words);
  if (text === undefined) return said || NO_REASON;
  if (!text.endsWith(':')) return text;
  return said ? `${text} ${said}` : `${text.slice(0, -1)}.`;
}

/**
 * A provider's error code as a number that can be stored; null: it is no code. Providers also send digits as text.
 */
export function errorCodeOf(code: unknown): number | null {
  const number = typeof code === 'string' && /^\d{1,10}$/.test(code) ? Number(code) : code;
  if (typeof number !== 'number' || !Number.isInteger(number)) return null;
  return number >= 0 && number <= GREATEST_CODE ? number : null;
}
