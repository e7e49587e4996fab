/** Half of a surrogate pair at the end of a text that was cut. */
const CUT_PAIR = /[\ud800-\udbff]$/;

/** The beginning of a text, of so many UTF-16 units at most; no pair is cut in two. */
export const cutText = (text: string, maxUnits: number): string =>
  text.length > maxUnits ? text.slice(0, maxUnits).replace(CUT_PAIR, '') : text;
