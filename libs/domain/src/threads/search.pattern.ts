/** Characters with a meaning in PostgreSQL's regular expressions. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;

/**
 * A letter that must not be mapped to its upper case, as in stage names: through 'I' it would become equal to 'i'.
 */
const DOTLESS_I = 'ı';

/** What people write between the digits of a phone number. */
const PHONE_MARKS = /[\s().+-]/g;
const DIGITS = /^\d+$/;

/**
 * A regular expression for PostgreSQL that finds a text inside others and ignores letter case in every alphabet. Each
 * letter is written with its other case, because the database's locale must not decide: in locale C, Cyrillic has no
 * capitals. Where the other case has several letters, they match too ('ß' finds 'SS', but 'SS' does not find 'ß').
 * Letters with accents match in composed and in decomposed form.
 */
export function searchPattern(text: string): string {
  const [composed, apart] = [patternOf(text.normalize('NFC')), patternOf(text.normalize('NFD'))];
  return composed === apart ? composed : `(?:${composed}|${apart})`;
}

/**
 * The digits of a search that may be for a phone, in the form in which phones are stored; null for other searches.
 */
export function searchedDigits(text: string): string | null {
  const digits = text.replace(PHONE_MARKS, '');
  return DIGITS.test(digits) ? digits : null;
}

const patternOf = (text: string): string => [...text].map(anyCaseOf).join('');

function anyCaseOf(character: string): string {
  const upper = character.toUpperCase();
  const cases = new Set([character, character.toLowerCase(), upper, upper.toLowerCase()]);
  // The one letter with two small forms: a sigma looks different at the end of a word.
  if (cases.has('Σ')) cases.add('ς');
  if (character === DOTLESS_I || cases.size === 1)
    return SPECIAL.test(character) ? `\\${character}` : character;
  return `(?:${[...cases].join('|')})`;
}
