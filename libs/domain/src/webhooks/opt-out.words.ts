import { UNSEEN } from '@app/contracts/values/free-text';

/** What a customer asks for with a whole message: opt-out, or opt-in again. */
export type OptRequest = 'stop' | 'start';

/**
 * By language. Words that also answer an ordinary question of a sale, such as "cancel", "end" or "отказ", are left
 * out: they would silence a dialog that its customer wants.
 */
export const STOP_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'stop',
    'stop all',
    'stopall',
    'unsubscribe',
    'unsubscribe me',
    'opt out',
    'optout',
    'do not write',
    'stop messaging',
  ],
  // Meta's own button below marketing messages, in its languages.
  meta: [
    'stop promotions',
    'остановить рекламу',
    'отказаться от рекламы',
    'жарнаманы тоқтату',
    'акцияларды тоқтату',
    'промоакцияларды тоқтату',
    'зупинити рекламні повідомлення',
    'detener promociones',
    'interromper promoções',
    'parar promoções',
    'arrêter les promotions',
    'promotionen stoppen',
    'werbung stoppen',
    'promosyonları durdur',
    'interrompi promozioni',
    'zatrzymaj promocje',
    'hentikan promosi',
    'إيقاف العروض الترويجية',
    'प्रमोशन बंद करें',
  ],
  ru: [
    'стоп',
    'стоп рассылка',
    'отписаться',
    'отписаться от рассылки',
    'отпишите меня от рассылки',
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
  uk: ['відписатися', 'відписка', 'відпишіть', 'відпишіть мене', 'не пишіть'],
  es: ['baja', 'parar', 'alto', 'darse de baja', 'darme de baja', 'cancelar suscripción', 'no escribir'],
  pt: ['sair', 'descadastrar', 'cancelar inscrição', 'não quero receber'],
  fr: ['arrêt', 'arrêter', 'désabonner', 'désabonnement', 'se désabonner', 'me désabonner'],
  de: ['stopp', 'abmelden', 'abbestellen'],
  tr: ['dur', 'durdur', 'çık', 'abonelikten çık'],
  it: ['ferma', 'fermare', 'basta', 'disiscrivimi', 'annulla iscrizione'],
  pl: ['wypisz', 'wypisz mnie', 'rezygnuję'],
  id: ['berhenti', 'berhenti berlangganan'],
  ar: ['توقف', 'إيقاف', 'إلغاء الاشتراك'],
  hi: ['रोकें', 'बंद करें'],
};

export const START_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ['start', 'unstop', 'subscribe', 'opt in', 'optin'],
  ru: ['старт', 'начать', 'подписаться', 'подписка', 'возобновить'],
  kk: ['бастау', 'жазылу'],
  uk: ['почати', 'підписатися'],
  es: ['empezar', 'iniciar', 'suscribirse', 'alta'],
  pt: ['começar'],
  fr: ['commencer'],
  de: ['starten', 'anmelden'],
  tr: ['başla'],
  it: ['inizia'],
  pl: ['zacznij'],
  id: ['mulai'],
  ar: ['ابدأ'],
  hi: ['शुरू', 'शुरू करें'],
};

/** What is said beside a word without changing it. */
const PLEASE: readonly string[] = [
  'please',
  'pls',
  'пожалуйста',
  'өтінемін',
  'будь ласка',
  'por favor',
  'svp',
  "s'il vous plaît",
  'bitte',
  'lütfen',
  'per favore',
  'per piacere',
  'proszę',
  'tolong',
  'من فضلك',
  'कृपया',
];

/** No word of the lists is longer, so longer texts are not compared. */
const LENGTH_MAX = 200;

const INVISIBLE = new RegExp(`[${UNSEEN}]`, 'gu');
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/gu;
const FULL_STOPS = /(?<=\p{L})[.\u3002\u0964](?=\p{L})/gu;
const AROUND = /^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu;
const BESIDE_SIGNS = /[\s\p{Emoji_Modifier}]+/gu;
const BETWEEN = /[\s\p{Pd}_,;:!]+/gu;

/** Cyrillic letters, and the Latin ones that look the same in either case: "CTOП" is "СТОП". */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [...'авекмнорстухіѕј'].map((letter, index) => [letter, 'abekmhopctyxisj'.charAt(index)]),
);

/** Latin letters without their marks, which phones often leave out. */
const withoutAccents = (small: string): string =>
  small
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{Mn}+/gu, '')
    .normalize('NFC')
    .replace(/[ıł]/g, (letter) => (letter === 'ı' ? 'i' : 'l'));

/** The common form of two spellings of one word. What has neither letters nor digits is its own word of signs. */
function fold(text: string): string {
  const seen = text.normalize('NFKC').replace(INVISIBLE, '');
  const bare = seen.replace(EMOJI, ' ').replace(FULL_STOPS, '').replace(AROUND, '').replace(BETWEEN, ' ');
  if (bare === '') return seen.replace(BESIDE_SIGNS, '');
  const small = withoutAccents(bare.toLowerCase()).replaceAll('ё', 'е');
  return Array.from(small, (letter) => LOOK_ALIKES.get(letter) ?? letter).join('');
}

const folded = (lists: Readonly<Record<string, readonly string[]>>): ReadonlySet<string> =>
  new Set(Object.values(lists).flat().map(fold));

const STOPS = folded(STOP_WORDS);
const STARTS = folded(START_WORDS);
const POLITE = PLEASE.map(fold);

/** A word alone, without what is said before or behind it out of politeness. */
function alone(word: string): string {
  for (const please of POLITE) {
    if (word.endsWith(` ${please}`)) return word.slice(0, -please.length).replace(AROUND, '');
    if (word.startsWith(`${please} `)) return word.slice(please.length).replace(AROUND, '');
  }
  return word;
}

/** How many words of its own an account may have in a list. */
export const OPT_WORDS_MAX = 50;
export const OPT_WORD_LENGTH_MAX = 60;

/** Whether a value is a list of words that customers can write: of each something is seen. */
export const areOptWords = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= OPT_WORDS_MAX &&
  value.every((word) => typeof word === 'string' && word.length <= OPT_WORD_LENGTH_MAX && fold(word) !== '');

/** The words of an account, beside those that everybody knows. */
export interface OwnOptWords {
  stops: ReadonlySet<string>;
  starts: ReadonlySet<string>;
}

export const ownOptWords = (stops: readonly string[], starts: readonly string[]): OwnOptWords => ({
  stops: folded({ stops }),
  starts: folded({ starts }),
});

/**
 * What a message asks for. One of its texts, as a whole, must be a word of the lists; case, punctuation, emoji,
 * look-alike letters, accents and a "please" do not matter. A word of signs alone is a message of nothing but these. Where texts contradict one another, opt-out wins.
 * @param texts the message's text, and its button's label and payload
 * @param own the account's words
 */
export function optRequestOf(texts: readonly string[], own: OwnOptWords): OptRequest | null {
  const words = texts
    .map((text) => text.trim())
    .filter(({ length }) => length <= LENGTH_MAX)
    .map(fold)
    // A "please" may be a part of an account's word.
    .flatMap((word) => [word, alone(word)]);
  if (words.some((word) => STOPS.has(word) || own.stops.has(word))) return 'stop';
  return words.some((word) => STARTS.has(word) || own.starts.has(word)) ? 'start' : null;
}
