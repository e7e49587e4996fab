/** What would move the cursor, colour, make a sound, or turn the direction of the text. */
const ACTS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text of customers, models and people on one line of a terminal: what would act there is shown instead. */
export const safeText = (text: string): string => text.replace(ACTS, (sign) => SHORT[sign] ?? escaped(sign));

/** JSON that is the same to programs and acts on no terminal. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(ACTS, (sign) => (sign === '\n' ? sign : escaped(sign)));

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Two columns wide: emoji, and what East Asia writes. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}])/u;
const NARROW = /^[\u0020-\u024f\u0400-\u04ff]*$/;

const widthOfOne = (sign: string): number => (WIDE.test(sign) ? 2 : /^\p{Mark}+$/u.test(sign) ? 0 : 1);

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segments.segment(text)) width += widthOfOne(segment);
  return width;
}

/** The beginning that fits into so many columns, with … where something is left out. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const { segment } of segments.segment(text)) {
    width += widthOfOne(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
