import { guessSingleByte } from './single-byte-guess';

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
export interface SignCounts {
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
