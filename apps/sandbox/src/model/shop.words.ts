/** The languages that the shop's assistant speaks. */
export type Language = 'ru' | 'kk' | 'en';

/**
 * One reply as paragraphs, in each language. Only the last may be so short that it is joined with another into one
 * message. `{words}` is replaced by what the customer wrote, `{result}` by what a tool told.
 */
export type Paragraphs = Readonly<Record<Language, readonly string[]>>;

const QUOTE_MAX = 120;
/** What the service writes before a file's caption, or what was said aloud. It is not the customer's. */
const FILE_MARK = /^\[\w+(?: [0-9a-f]{8})?\] (?=\S)/gm;

/** Letters that Kazakh has and Russian has not, and the word that is written without any of them. */
const KAZAKH = /[әғқңөұүһі]|рахмет/i;

/** The language of the customer's words, without magic words. */
export function languageOf(words: string): Language {
  if (!/\p{Script=Cyrillic}/u.test(words)) return 'en';
  return KAZAKH.test(words) ? 'kk' : 'ru';
}

/** The reply in the language of the customer's words. */
export function say(paragraphs: Paragraphs, words: string, result = ''): string {
  const quote = shorten(words.replace(FILE_MARK, ''), QUOTE_MAX);
  return paragraphs[languageOf(words)]
    .map((paragraph) => paragraph.replace('{words}', () => quote).replace('{result}', () => result))
    .join('\n\n');
}

/** In one line, so that quoted text forms no separate paragraph. */
export function shorten(words: string, most: number): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}
