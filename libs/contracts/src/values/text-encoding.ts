/** Encodings of one byte a letter, between which only the words of a text tell. */
type SingleByteEncoding = 'windows-1251' | 'windows-1252';

const HIGH = 0x80;
/** The last sign of ASCII that never stands within a word. */
const LAST_SEPARATOR = 0x2c;
/** A word that is longer is none. */
const HELD_MAX = 1_000;

/** What each byte is in an encoding. */
const signsIn = (encoding: SingleByteEncoding): readonly string[] => {
  const decoder = new TextDecoder(encoding);
  return Array.from({ length: 256 }, (_, byte) => decoder.decode(Uint8Array.of(byte)));
};
const CYRILLIC = signsIn('windows-1251');
const LATIN = signsIn('windows-1252');
const bytesOf = (signs: readonly string[], form: RegExp): readonly boolean[] =>
  signs.map((sign, byte) => byte >= HIGH && form.test(sign));

/** Of Russian, Ukrainian and Belarusian. */
const IS_CYRILLIC = bytesOf(CYRILLIC, /[А-яЁёІіЇїЄєҐґЎў]/u);
const IS_CAPITAL = bytesOf(CYRILLIC, /\p{Lu}/u);
/** The sign of numbers stands before or behind words. */
const IS_NUMERO = bytesOf(CYRILLIC, /№/u);
/** But letters of Icelandic that at their bytes are rather of Turkish, in an encoding of its own. */
const IS_LATIN = bytesOf(LATIN, /[^\P{L}ðþýÐÞÝ]/u);
const IS_LATIN_BEGINNING = bytesOf(LATIN, /[¿¡]/u);
const IS_LATIN_END = bytesOf(LATIN, /[ºª²³]/u);
const IS_ASCII_LETTER = LATIN.map((sign, byte) => byte < HIGH && /[A-Za-z]/.test(sign));
/** What both read alike, such as quotes, ends a word. */
const IS_OF_WORDS = LATIN.map((sign, byte) =>
  byte < HIGH ? /[A-Za-z]/.test(sign) : sign !== CYRILLIC[byte],
);

/** What the words of a text are. */
interface FoundWords {
  latin: number;
  cyrillic: number;
  /** Cyrillic ones that are no chance: of three letters and more. */
  sure: number;
  /** Such as mix alphabets or are none in either. */
  unsure: number;
  /** Letters that stand alone tell nothing. */
  single: number;
}

function countWord(word: Uint8Array, found: FoundWords): void {
  const last = word.length - 1;
  const every = (is: (byte: number, at: number) => boolean | undefined): boolean =>
    word.every((byte, at) => is(byte, at) === true);
  if (every((byte) => IS_ASCII_LETTER[byte])) return;
  if (word.some((byte) => IS_ASCII_LETTER[byte])) {
    const isLatin = every(
      (byte, at) =>
        IS_ASCII_LETTER[byte] ||
        IS_LATIN[byte] ||
        (at === 0 && IS_LATIN_BEGINNING[byte]) ||
        (at === last && IS_LATIN_END[byte]),
    );
    found[isLatin ? 'latin' : 'unsure'] += 1;
    return;
  }
  if (word.length === 1) {
    found.single += 1;
    return;
  }
  const isCyrillic = every((byte, at) => IS_CYRILLIC[byte] || ((at === 0 || at === last) && IS_NUMERO[byte]));
  // As a text in KOI8-R would look.
  const isTurned = word.length > 2 && every((byte, at) => (at === 0) !== IS_CAPITAL[byte]);
  if (!isCyrillic || isTurned) found.unsure += 1;
  else {
    found.cyrillic += 1;
    if (word.length > 2) found.sure += 1;
  }
}

function countWords(bytes: Uint8Array, found: FoundWords): void {
  let from = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at < bytes.length && IS_OF_WORDS[bytes[at] ?? 0]) continue;
    if (at > from) countWord(bytes.subarray(from, at), found);
    from = at + 1;
  }
}

/**
 * Tells by a text's words in which encoding they are: those of one alphabet alone are sure. Words that mix Latin and
 * Cyrillic letters, or are none in either, are not.
 */
export function guessSingleByte(): {
  add: (bytes: Uint8Array) => void;
  /** Null: it is not sure. */
  end: () => SingleByteEncoding | null;
} {
  const found: FoundWords = {
    latin: 0,
    cyrillic: 0,
    sure: 0,
    unsure: 0,
    single: 0,
  };
  let held = new Uint8Array(0);
  return {
    add: (bytes) => {
      const all = new Uint8Array(held.length + bytes.length);
      all.set(held);
      all.set(bytes, held.length);
      let end = all.findLastIndex((byte) => byte <= LAST_SEPARATOR) + 1;
      if (all.length - end > HELD_MAX) end = all.length;
      countWords(all.subarray(0, end), found);
      held = all.slice(end);
    },
    end: () => {
      countWords(held, found);
      held = new Uint8Array(0);
      const { latin, cyrillic, sure, unsure, single } = found;
      if (unsure > 0 || (latin > 0 && cyrillic > 0)) return null;
      if (latin > 0) return 'windows-1252';
      if (sure > 0) return 'windows-1251';
      return cyrillic === 0 && single === 0 ? 'windows-1252' : null;
    },
  };
}

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** What a caller may say of a file. UTF-16 is read either way round, as its mark says. */
export const ENCODING_CHOICES = ['utf-8', 'utf-16', 'windows-1251', 'windows-1252'] as const;

export type EncodingChoice = (typeof ENCODING_CHOICES)[number];

/** Enough to see how a file is written. */
export const TEXT_SAMPLE_BYTES = 4_096;
/** Of the digits and separators of a list each has a zero byte in UTF-16. */
const ZERO_SHARE = 0.1;

/** By which a file of Excel begins: what is zipped, and what was before that. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Whether it is no text at all, but what a spreadsheet saves of its own accord. */
export const isWorkbook = (bytes: Uint8Array): boolean =>
  WORKBOOKS.some((mark) => mark.every((byte, at) => bytes[at] === byte));

/** The encoding that the beginning of a file tells: by its mark, or by the zero bytes of UTF-16. Null: none of these. */
export function findMarkedEncoding(bytes: Uint8Array): Encoding | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, TEXT_SAMPLE_BYTES);
  const zeros = (rest: number): number => sample.filter((byte, at) => byte === 0 && at % 2 === rest).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (Math.max(even, odd) > (sample.length / 2) * ZERO_SHARE) return odd > even ? 'utf-16le' : 'utf-16be';
  return null;
}

/** What stands in a text for bytes that its encoding does not know. */
export const UNREADABLE = '\ufffd';

/**
 * Whether a text that was read as UTF-8 is that, but for some bytes that were damaged: it has more signs beyond ASCII that
 * are well formed than those that are not. Of letters in Windows-1251 hardly one is, by chance.
 * @param counts as {@link countSigns} says
 */
export const isDamagedUtf8 = ({ signs, unreadable }: SignCounts): boolean => signs > unreadable;

/** Signs beyond ASCII, and places that could not be read. */
interface SignCounts {
  signs: number;
  unreadable: number;
}

export function countSigns(text: string): SignCounts {
  const counts = { signs: 0, unreadable: 0 };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) counts.unreadable += 1;
    else if (code > 0x7f) counts.signs += 1;
  }
  return counts;
}

/** How a file is written that its caller calls so. @param beginning of it */
export function namedEncoding(choice: EncodingChoice, beginning: Uint8Array): Encoding {
  if (choice !== 'utf-16') return choice;
  return findMarkedEncoding(beginning) === 'utf-16be' ? 'utf-16be' : 'utf-16le';
}

/**
 * In which encoding a file is: as its beginning tells, or because it is UTF-8, if perhaps a damaged one, or as its words are.
 * Null: it is not sure.
 */
export function findEncoding(bytes: Uint8Array): Encoding | null {
  const marked = findMarkedEncoding(bytes);
  if (marked !== null) return marked;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    if (isDamagedUtf8(countSigns(new TextDecoder().decode(bytes)))) return 'utf-8';
    const guess = guessSingleByte();
    guess.add(bytes);
    return guess.end();
  }
}
