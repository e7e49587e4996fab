/** What a spreadsheet would take for a formula, and what begins like one that was defused. */
const FORMULA = /^'*[=+\-@\t]/;
const DEFUSED = /^'+[=+\-@\t]/;

/** A text as a spreadsheet shows it, and nothing else: an apostrophe keeps it from being a formula. */
export const defused = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text again, exactly. */
export const undefused = (text: string): string => (DEFUSED.test(text) ? text.slice(1) : text);
