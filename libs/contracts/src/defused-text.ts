import { UNSEEN } from './blank-text';

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
