/** Characters that cannot be seen and turn the direction of the text around them. */
const CONTROLS = '\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc';

const TURNS = new RegExp(`[${RIGHT_TO_LEFT}${CONTROLS}]`);
const EACH_CONTROL = new RegExp(`[${CONTROLS}]`, 'g');

/** A name within a sentence: one that is written from right to left does not turn the words around it. */
export const isolated = (name: string): string => (TURNS.test(name) ? `\u2068${name}\u2069` : name);

/** Writes such characters as JSON may, so that they are seen and turn nothing. */
export const withEscapedControls = (text: string): string =>
  text.replace(EACH_CONTROL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
