/** What nobody sees, inside brackets of a pattern: letters, marks and symbols among it to Unicode. */
export const UNSEEN = '\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800';

const NOTHING_SEEN = new RegExp(`^[\\s${UNSEEN}]*$`, 'u');

/** Whether whoever reads a text sees nothing of it. */
export const isBlank = (text: string): boolean => NOTHING_SEEN.test(text);

/** Half of a surrogate pair at the end of a text that was cut. */
const CUT_PAIR = /[\ud800-\udbff]$/;

/** The beginning of a text, of so many UTF-16 units at most; no pair is cut in two. */
export const cutText = (text: string, maxUnits: number): string =>
  text.length > maxUnits ? text.slice(0, maxUnits).replace(CUT_PAIR, '') : text;

/**
 * What a spreadsheet would take for a formula: its signs, narrow, small and full-width, also behind what nobody sees and
 * some programs leave out.
 */
export const FORMULA = new RegExp(
  `^(?:[\\p{Cc}\\p{Z}${UNSEEN}]*[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]|[\\t\\r\\n])`,
  'u',
);

/** Or begins like one that was defused. */
const isFormula = (text: string): boolean => FORMULA.test(text.replaceAll("'", ''));

/** A text as a spreadsheet shows it, and nothing else: an apostrophe keeps it from being a formula. */
export const defused = (text: string): string => (isFormula(text) ? `'${text}` : text);

/** The text again, exactly. */
export const undefused = (text: string): string =>
  text.startsWith("'") && isFormula(text) ? text.slice(1) : text;
