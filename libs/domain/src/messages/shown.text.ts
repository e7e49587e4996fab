/** WhatsApp has no longer text (facts 1.2), so nobody reads more of a message in its dialog. In UTF-16 units. */
const SHOWN_TEXT_MAX = 4_096;

/**
 * Puts the pieces of a text together for people to read: at most {@link SHOWN_TEXT_MAX} long, what is longer cut at a
 * whole character and ended with an ellipsis. Never more than a piece's beginning is copied, and no piece is asked for
 * that nothing would be shown of.
 */
export function shownText(pieces: Iterable<string>): string {
  let text = '';
  for (const piece of pieces) {
    text += piece.slice(0, SHOWN_TEXT_MAX + 1);
    if (text.length > SHOWN_TEXT_MAX) return `${wholeCharacters(text.slice(0, SHOWN_TEXT_MAX - 1))}…`;
  }
  return text;
}

/** Without the first half of a pair whose second half was cut off. */
const wholeCharacters = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
