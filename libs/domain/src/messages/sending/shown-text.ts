/** Longest text of WhatsApp (Meta: Messages API), so a message in a dialog never needs more. In UTF-16 units. */
const SHOWN_TEXT_MAX = 4_096;

/**
 * Joins the pieces of a text for people to read, at most {@link SHOWN_TEXT_MAX} long. A longer text is cut at a whole
 * character and ends with an ellipsis. Only the part that is shown is copied, and pieces after the cut are not
 * evaluated.
 */
export function shownText(pieces: Iterable<string>): string {
  let text = '';
  for (const piece of pieces) {
    text += piece.slice(0, SHOWN_TEXT_MAX + 1);
    if (text.length > SHOWN_TEXT_MAX) return `${wholeCharacters(text.slice(0, SHOWN_TEXT_MAX - 1))}…`;
  }
  return text;
}

/** Without the first half of a surrogate pair whose second half was cut off. */
const wholeCharacters = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
