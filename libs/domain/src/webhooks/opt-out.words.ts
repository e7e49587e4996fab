/** What a customer asks for with a whole message: opt-out, or opt-in again. */
export type OptRequest = 'stop' | 'start';

/**
 * By language. Words that also answer an ordinary question of a sale, such as "cancel", "end" or "отказ", are left
 * out: they would silence a dialog that its customer wants.
 */
export const STOP_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ['stop', 'stop all', 'stopall', 'unsubscribe', 'opt out', 'optout', 'do not write', 'stop messaging'],
  ru: [
    'стоп',
    'стоп рассылка',
    'отписаться',
    'отписка',
    'отпиши',
    'отпишите',
    'отпишите меня',
    'не писать',
    'не пишите',
    'не пишите мне',
    'отказ от рассылки',
    'отказаться от рассылки',
  ],
  kk: ['тоқта', 'тоқтат', 'тоқтату', 'жазбаңыз', 'жазылымнан шығу', 'жазылымнан бас тарту'],
};

export const START_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ['start', 'unstop', 'subscribe', 'opt in', 'optin'],
  ru: ['старт', 'начать', 'подписаться', 'подписка', 'возобновить'],
  kk: ['бастау', 'жазылу'],
};

/** No word of the lists is longer, so longer texts are not compared. */
const LENGTH_MAX = 200;

const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const BETWEEN = /[\s\p{Pd}_]+/gu;

/** Cyrillic letters, and the Latin ones that look the same in either case: "CTOП" is "СТОП". */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [...'авекмнорстухіѕј'].map((letter, index) => [letter, 'abekmhopctyxisj'.charAt(index)]),
);

/** The common form of two spellings of one word. */
function fold(text: string): string {
  const bare = text.normalize('NFKC').replace(INVISIBLE, '').replace(AROUND, '').replace(BETWEEN, ' ');
  const small = bare.toLowerCase().replaceAll('ё', 'е');
  return Array.from(small, (letter) => LOOK_ALIKES.get(letter) ?? letter).join('');
}

const folded = (lists: Readonly<Record<string, readonly string[]>>): ReadonlySet<string> =>
  new Set(Object.values(lists).flat().map(fold));

const STOPS = folded(STOP_WORDS);
const STARTS = folded(START_WORDS);

/**
 * What a message asks for. One of its texts, as a whole, must be a word of the lists; case, punctuation, emoji and
 * look-alike letters do not matter. Where texts contradict one another, opt-out wins.
 * @param texts the message's text, and its button's label and payload
 */
export function optRequestOf(texts: readonly string[]): OptRequest | null {
  const words = texts
    .map((text) => text.trim())
    .filter(({ length }) => length <= LENGTH_MAX)
    .map(fold);
  if (words.some((word) => STOPS.has(word))) return 'stop';
  return words.some((word) => STARTS.has(word)) ? 'start' : null;
}
