import { cutText } from '@app/contracts/values/free-text';

/** The end of a sentence: after its mark with closing quotes and brackets, or at the end of a line. */
const SENTENCE_END = /[.!?…。！？]["'»”’)\]]*(?=\s|$)|(?=\n)/g;

/** A text up to the end of its last whole sentence; empty where it has none. */
export function sentencesOf(text: string): string {
  const end = [...text.matchAll(SENTENCE_END)].at(-1);
  return end ? text.slice(0, end.index + end[0].length).trim() : '';
}

/** If the last whole sentence leaves less of the text than this, the text is cut at a word instead. */
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
  return (word > least ? rest.slice(0, word) : cutText(text, most)).trim();
}

/** The text that the model has written so far. A request may take several steps, with calls of tools between them. */
export class ReplyDraft {
  private step = '';
  private last = '';

  /** @param charactersMax UTF-16 units */
  constructor(private readonly charactersMax: number) {}

  /** A new step begins, after the called tools have answered. */
  beginStep(): void {
    if (this.step.trim() !== '') this.last = this.step;
    this.step = '';
  }

  write(text: string): void {
    this.step += text;
  }

  /**
   * The reply: the text of the last step, or of the last step that wrote any.
   * @param isWhole whether the model came to its end by itself
   */
  finish(isWhole: boolean): string {
    const text = isWhole && this.step.trim() === '' ? this.last : this.step;
    const clean = text.replaceAll('\0', '').toWellFormed();
    const isShort = clean.length <= this.charactersMax;
    return isWhole && isShort ? clean.trim() : cutAtSentence(clean, this.charactersMax);
  }
}
