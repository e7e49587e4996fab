/** Characters that mean something to PostgreSQL's regular expressions. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;

/** A letter that must be kept from its own upper case, as in stage names: through 'I' it would come to equal 'i'. */
const DOTLESS_I = 'ı';

/** What people write between the digits of a phone. */
const PHONE_MARKS = /[\s().+-]/g;
const DIGITS = /^\d+$/;

/**
 * A regular expression of PostgreSQL that finds a text inside others, ignoring letter case in every alphabet. Each
 * letter is written with its other case, because the database's locale must not decide (a database of locale C knows no
 * Cyrillic capitals). A letter whose other case is several letters is found by these too ('ß' finds 'SS', not the other
 * way round). Letters with accents are found in composed and decomposed form.
 */
export function searchPattern(text: string): string {
  const [composed, apart] = [patternOf(text.normalize('NFC')), patternOf(text.normalize('NFD'))];
  return composed === apart ? composed : `(?:${composed}|${apart})`;
}

/** The digits of a search that may be for a phone, as phones are stored; null for one that is not. */
export function searchedDigits(text: string): string | null {
  const digits = text.replace(PHONE_MARKS, '');
  return DIGITS.test(digits) ? digits : null;
}

const patternOf = (text: string): string => [...text].map(anyCaseOf).join('');

function anyCaseOf(character: string): string {
  const upper = character.toUpperCase();
  const cases = new Set([character, character.toLowerCase(), upper, upper.toLowerCase()]);
  // The one letter with two small forms: a sigma is another at a word's end.
  if (cases.has('Σ')) cases.add('ς');
  if (character === DOTLESS_I || cases.size === 1)
    return SPECIAL.test(character) ? `\\${character}` : character;
  return `(?:${[...cases].join('|')})`;
}
