/** Characters that cannot be seen and turn the direction of the text around them. */
const CONTROLS = '\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc';

const TURNS = new RegExp(`[${RIGHT_TO_LEFT}${CONTROLS}]`);
const EACH_CONTROL = new RegExp(`[${CONTROLS}]`, 'g');

const ISOLATES = /[\u2066-\u2068]/;
const END_OF_ISOLATE = '\u2069';
/** They end a paragraph and with it all that keeps texts apart. */
const ENDS_PARAGRAPH = /[\u001c-\u001e\u0085\u2029]/;

/**
 * A text that is kept apart by what stands around it, and cannot end that: neither by a sign that ends it, nor by a
 * paragraph, nor by what it begins and leaves open.
 */
export function contained(text: string): string {
  if (!TURNS.test(text)) return text;
  let open = 0;
  let out = '';
  for (const sign of text) {
    if (sign === END_OF_ISOLATE && open === 0) continue;
    out += sign;
    if (ISOLATES.test(sign)) open++;
    else if (sign === END_OF_ISOLATE) open--;
    else if (ENDS_PARAGRAPH.test(sign)) {
      // What kept it apart is over here, and begins anew.
      out += '\u2068';
      open = 0;
    }
  }
  return out + END_OF_ISOLATE.repeat(open);
}

/** A name within a sentence: one that is written from right to left does not turn the words around it. */
export const isolated = (name: string): string =>
  TURNS.test(name) ? `\u2068${contained(name)}\u2069` : name;

/** Writes such characters as JSON may, so that they are seen and turn nothing. */
const withEscapedControls = (text: string): string =>
  text.replace(EACH_CONTROL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value as JSON, a field in each line. What would turn the direction of other lines is escaped. */
export const readableJson = (value: unknown): string => withEscapedControls(JSON.stringify(value, null, 2));
