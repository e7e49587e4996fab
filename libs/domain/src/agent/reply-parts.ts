/** What one text message may hold (facts: WhatsApp's text body). */
const PART_CHARACTERS_MAX = 4_096;
/** A paragraph shorter than this is joined with the next one. */
const SHORT = 60;
const SENTENCE_END = /[.!?…。！？]["'»”’)\]]*(?=\s)|\n/g;
/** Some models write characters without a width, which are as invisible as blanks. */
const VISIBLE = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/**
 * Splits a reply into parts as a person would send it: one message for each paragraph, short paragraphs joined, none
 * longer than a message may be.
 * @param most messages; the last one takes the remaining text, as much as it holds
 * @returns nothing where there is no text
 */
export function splitReply(text: string, most: number): string[] {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => VISIBLE.test(paragraph));
  const parts: string[] = [];
  for (const paragraph of paragraphs) {
    const last = parts.at(-1);
    const joins = last !== undefined && (parts.length === most || last.length < SHORT);
    if (joins) parts[parts.length - 1] = `${last}\n\n${paragraph}`;
    else parts.push(paragraph);
  }
  return parts.flatMap(cutLong).slice(0, Math.max(most, 1));
}

/** The end of a sentence, or else of a word, in the second half of the text. */
function cutLong(part: string): string[] {
  if (part.length <= PART_CHARACTERS_MAX) return [part];
  const head = part.slice(0, PART_CHARACTERS_MAX);
  const ends = [lastSentenceEnd(head), head.lastIndexOf(' ')];
  const at = ends.find((end) => end > PART_CHARACTERS_MAX / 2) ?? safeEnd(head);
  return [part.slice(0, at).trim(), ...cutLong(part.slice(at).trim())];
}

/**
 * The position after the sentence's mark with its closing quotes and brackets, or at the end of a line; 0 where there
 * is none.
 */
function lastSentenceEnd(text: string): number {
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(SENTENCE_END)) end = index + mark.length;
  return end;
}

/** Never between the two halves of a surrogate pair. */
const safeEnd = (text: string): number => (/[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length);

/** An agent's settings that say in which messages a customer gets a reply. */
interface WordSettings {
  handover_text: string | null;
  reply_parts_max: number;
}

/** The messages that a model's text makes; none where neither the model nor the agent has any words. */
export function partsOf(
  { handover_text: ownWords, reply_parts_max: partsMax }: WordSettings,
  said: string,
  isHandedOver: boolean,
): string[] {
  if (!isHandedOver) return splitReply(said, partsMax);
  // A hand-over is announced in one message, so that a customer reads it once. The agent's configured words replace
  // the model's.
  const own = splitReply(ownWords ?? '', 1);
  return own.length > 0 ? own : splitReply(said, 1);
}
