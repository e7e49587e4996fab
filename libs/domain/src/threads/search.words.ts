import type { SearchDocument, UnsearchedDialog } from '@app/persistence/threads/thread-search.repository';
import { descriptions, detailsOf } from '@app/contracts/message-content';
import { foldStatusName } from '@app/contracts/stage.words';
import { contentOf } from '../messages/dialog/message.presenter';

/** Words, numbers, and pictures that people write instead of words. */
const WORD = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu;

/** Longer words are cut, when they are stored and when they are sought. In UTF-16 code units. */
const WORD_LENGTH_MAX = 40;

/** What is read of one text. Longer ones are found by their first words only. */
const TEXT_LENGTH_MAX = 20_000;

/** What stands between the digits of a phone that is stored. */
const PHONE_MARKS = /[\s().+-]/g;
const DIGITS = /^[0-9]+$/;
/** A phone is stored as all of its parts of so many digits, and its last ones of at least two. */
const PHONE_PART = 4;
const PHONE_PART_LEAST = 2;
/** How people in Kazakhstan and Russia write +7 at home. */
const NATIONAL_PHONE = /^8(?=[0-9]{10}$)/;
/** What is dialled for the plus. */
const DIALLED_PLUS = /^00(?=[1-9][0-9]{6})/;
/** How a link has a phone. */
const PHONE_LINK = /^\s*tel:(?=[\s(+]*[0-9])/i;

/**
 * How a word is stored. An account's words begin with a mark of its own, so that a search reads nothing of others. The
 * first letter of each word is stored as well, and each digit of a phone: one letter or digit finds its dialogs without
 * reading all words that begin with it.
 */
class Lexemes {
  private readonly mark: string;

  constructor(accountId: string) {
    this.mark = accountId.slice(-8);
  }

  word = (word: string): string => `${this.mark}/${word}`;
  firstLetter = (word: string): string => `${this.mark}^${[...word][0] ?? ''}`;
  phonePart = (digits: string): string => `${this.mark}#${digits}`;
}

/** People write Алёна as Алена too: a word with a ё is stored, and sought, in both ways. */
const spellings = (word: string): string[] => [...new Set([word, word.replaceAll('ё', 'е')])];

/** The words of a text in the form in which they are compared: see {@link foldStatusName}. Never throws. */
export function wordsOf(text: string): string[] {
  const folded = foldStatusName(text.slice(0, TEXT_LENGTH_MAX));
  return (folded.match(WORD) ?? []).map((word) => wholeLetters(word.slice(0, WORD_LENGTH_MAX)));
}

/** What is stored of dialogs, to be found by. */
export const describeDialogs = (
  accountId: string,
  dialogs: readonly UnsearchedDialog[],
): SearchDocument[] => {
  const lexemes = new Lexemes(accountId);
  return dialogs.map(({ id, phone, customer_name, said }) => ({
    thread_id: id,
    customer_words: [...lexemesOf(lexemes, customer_name ?? ''), ...phoneParts(lexemes, phone ?? '')],
    words: [...new Set(said.flatMap(textsOf).flatMap((text) => lexemesOf(lexemes, text)))],
  }));
};

/**
 * What a search is for, as a `tsquery`: dialogs that have every word, in any order, as the beginning of one of theirs; of
 * digits, whatever signs are between them, as a part of their phone too. Null where it has no word: it finds nothing.
 */
export function searchQuery(accountId: string, search: string): string | null {
  const lexemes = new Lexemes(accountId);
  const words = wordsOf(search.replace(PHONE_LINK, ''));
  const all = words.map((word) => wordQuery(lexemes, word)).join(' & ');
  if (all === '') return null;
  const phone = words.join('');
  const isPhone = words.length > 1 && DIGITS.test(phone);
  return isPhone ? `(${all}) | ${phoneQuery(lexemes, phone)}` : all;
}

function wordQuery(lexemes: Lexemes, word: string): string {
  const [, other] = spellings(word);
  return other === undefined
    ? spelledQuery(lexemes, word)
    : `(${spelledQuery(lexemes, word)} | ${spelledQuery(lexemes, other)})`;
}

function spelledQuery(lexemes: Lexemes, word: string): string {
  if ([...word].length === 1) return quoted(lexemes.firstLetter(word));
  const begins = `${quoted(lexemes.word(word))}:*`;
  return DIGITS.test(word) ? `(${begins} | ${phoneQuery(lexemes, word)})` : begins;
}

/** A phone that has the digits; of one in its national form or with 00 for the plus, the international one's too. */
function phoneQuery(lexemes: Lexemes, digits: string): string {
  const forms = new Set([digits, digits.replace(NATIONAL_PHONE, '7'), digits.replace(DIALLED_PLUS, '')]);
  return `(${[...forms].map((form) => partsQuery(lexemes, form)).join(' | ')})`;
}

/** All parts of the digits; of fewer digits than a part has, the parts that begin with them. */
function partsQuery(lexemes: Lexemes, digits: string): string {
  if (digits.length < PHONE_PART) return `${quoted(lexemes.phonePart(digits))}:*`;
  const parts = Array.from({ length: digits.length - PHONE_PART + 1 }, (_, n) =>
    digits.slice(n, n + PHONE_PART),
  );
  return `(${parts.map((part) => quoted(lexemes.phonePart(part))).join(' & ')})`;
}

/** What a message says: its text, what is said in its audio, and what it is in each language, with all values. */
function textsOf({ type, text, content: stored, transcript }: UnsearchedDialog['said'][number]): string[] {
  const content = contentOf({ type, text, content: stored });
  if (content === null) return transcript === null ? [text] : [text, transcript];
  return [text, ...Object.values(descriptions({ type, text, content }) ?? {}), ...detailsOf(content)];
}

/** Its parts of four digits, its last three and two, and each digit. */
function phoneParts(lexemes: Lexemes, phone: string): string[] {
  const digits = phone.replace(PHONE_MARKS, '');
  const parts = Array.from({ length: Math.max(0, digits.length - PHONE_PART_LEAST + 1) }, (_, n) =>
    lexemes.phonePart(digits.slice(n, n + PHONE_PART)),
  );
  return [...parts, ...[...new Set(digits)].map(lexemes.firstLetter)];
}

const lexemesOf = (lexemes: Lexemes, text: string): string[] => [
  ...new Set(
    wordsOf(text)
      .flatMap(spellings)
      .flatMap((word) => [lexemes.word(word), lexemes.firstLetter(word)]),
  ),
];

/** PostgreSQL takes no half of a letter that has two code units. */
const wholeLetters = (word: string): string => word.replace(/[\ud800-\udbff]$/, '');

/** Words have neither quotes nor backslashes. */
const quoted = (lexeme: string): string => `'${lexeme}'`;
