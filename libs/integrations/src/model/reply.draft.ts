/** Half of a surrogate pair at the end of a text that was cut. */
const CUT_PAIR = /[\ud800-\udbff]$/;

/** Where a sentence is over: behind its mark, closing quotes and brackets included, or at the end of a line. */
const SENTENCE_END = /[.!?…。！？]["'»”’)\]]*(?=\s|$)|(?=\n)/g;

/** A sentence that leaves less of the text than this is too little: then the words count. */
const LEAST_SHARE = 0.5;

/**
 * The beginning of a text that was stopped, up to its last whole sentence, or else its last whole word.
 * @param most UTF-16 units
 */
export function cutAtSentence(text: string, most: number): string {
  const least = Math.min(text.length, most) * LEAST_SHARE;
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(SENTENCE_END)) {
    if (index + mark.length > most) break;
    end = index + mark.length;
  }
  if (end > 0 && end >= least) return text.slice(0, end).trim();
  const rest = text.slice(0, most + 1);
  const word = rest.search(/\s\S*$/);
  return (word > least ? rest.slice(0, word) : text.slice(0, most).replace(CUT_PAIR, '')).trim();
}

/** What the model has written so far. A request may take several steps, with calls of tools between them. */
export class ReplyDraft {
  private step = '';
  private last = '';

  /** @param charactersMax UTF-16 units */
  constructor(private readonly charactersMax: number) {}

  /** The model begins anew, after the tools that it called have answered. */
  beginStep(): void {
    if (this.step.trim() !== '') this.last = this.step;
    this.step = '';
  }

  /** @returns whether there is room for more. */
  write(text: string): boolean {
    this.step += text;
    return this.step.length <= this.charactersMax;
  }

  /**
   * The reply: what the last step wrote, or, when that one had nothing to add, the last that wrote anything.
   * @param isWhole whether the model itself came to its end
   */
  finish(isWhole: boolean): string {
    const text = isWhole && this.step.trim() === '' ? this.last : this.step;
    const clean = text.replaceAll('\0', '').toWellFormed();
    const isShort = clean.length <= this.charactersMax;
    return isWhole && isShort ? clean.trim() : cutAtSentence(clean, this.charactersMax);
  }
}
