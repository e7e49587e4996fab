/**
 * What a spreadsheet would take for a formula: its signs, narrow, small and full-width, also behind what nobody sees and
 * some programs leave out. And what begins like one that was defused.
 */
const BEGINNING = `(?:['\\p{Cc}\\p{Cf}\\p{Z}]*[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]|'*[\\t\\r\\n])`;
const FORMULA = new RegExp(`^${BEGINNING}`, 'u');
const DEFUSED = new RegExp(`^'${BEGINNING}`, 'u');

/** A text as a spreadsheet shows it, and nothing else: an apostrophe keeps it from being a formula. */
export const defused = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text again, exactly. */
export const undefused = (text: string): string => (DEFUSED.test(text) ? text.slice(1) : text);
