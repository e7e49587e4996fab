import { isObject } from '@app/contracts/json-object';
import { TranscriptionFailedError, type Transcript } from '@app/domain/media/transcriber.port';

/** Names and codes that Whisper uses and ICU's tables lack. */
const ALIASES: Readonly<Record<string, string>> = {
  castilian: 'es',
  cantonese: 'zh',
  mandarin: 'zh',
  flemish: 'nl',
  myanmar: 'my',
  'haitian creole': 'ht',
  ...{ letzeburgesch: 'lb', moldavian: 'ro', moldovan: 'ro', nynorsk: 'nn', panjabi: 'pa', pushto: 'ps' },
  ...{ sinhalese: 'si', tagalog: 'tl', valencian: 'ca', haitian: 'ht', maori: 'mi', jw: 'jv', yue: 'zh' },
  ...{ farsi: 'fa', bengali: 'bn', filipino: 'tl', fil: 'tl' },
};

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** ISO 639-1 codes by their English names; built on first use. */
let named: ReadonlyMap<string, string> | undefined;

function byName(): ReadonlyMap<string, string> {
  named ??= buildNames();
  return named;
}

function buildNames(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  // Retired codes share a name with the current one.
  const present = codes.filter((code) => canonical(code) === code);
  return new Map(
    present.flatMap((code) => {
      const name = names.of(code)?.toLowerCase();
      return name === undefined ? [] : [[name, code]];
    }),
  );
}

function canonical(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0]?.split('-')[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Servers name the language `english`, `en`, `eng` or `en-US`.
 * @returns its ISO 639-1 code; null where it is not known
 */
export function languageCode(told: unknown): string | null {
  if (typeof told !== 'string') return null;
  const word = told.trim().toLowerCase();
  const known = ALIASES[word] ?? byName().get(word);
  if (known !== undefined) return known;
  const code = /^[a-z]{2,3}(?:[-_][a-z0-9]+)*$/.test(word) ? canonical(word.replaceAll('_', '-')) : null;
  if (code === null) return null;
  return ALIASES[code] ?? (code.length === 2 && [...byName().values()].includes(code) ? code : null);
}

/** Three times what half an hour of fast speech holds. */
const CHARACTERS_MAX = 100_000;

/** Whisper's own thresholds for silence. */
const NO_SPEECH = { probability: 0.6, logprob: -1 };

/**
 * Whisper was trained on film subtitles, and writes these lines where nobody speaks (openai/whisper#928). No customer sends
 * only that.
 */
const HALLUCINATIONS = [
  /^(?:thanks|thank you)(?: so much| very much)? for watching$/,
  /^please subscribe(?: to (?:my|the|our) channel)?$/,
  /^(?:subtitles|captions|transcription|transcribed|translated)(?: created| provided)? by(?: .*)?$/,
  /(?:^| )amara org(?: |$)/,
  /^субтитры (?:сделал|делал|создавал|создал|подогнал|от)(?: .*)?$|^субтитры .*dimatorzok$/,
  /^редактор субтитров(?: .*)?$/,
  /^продолжение следует$/,
  /^спасибо за просмотр$/,
  /^(?:gracias|obrigado|obrigada) por (?:ver|assistir)(?: el video)?$/,
  /^merci d avoir regardé(?: cette vidéo)?$/,
  /^sous titrage (?:st |société |soustitreur).*$/,
  /^untertitel(?:ung)? (?:des zdf|im auftrag|der amara).*$/,
  /^(?:altyazı m k|legendas pela comunidade.*|subtítulos (?:realizados )?por .*)$/,
  /^izlediğiniz için teşekkürler$/,
  /^terima kasih telah menonton$/,
  /^ご視聴ありがとうございました$/,
  /^시청해 ?주셔서 감사합니다$/,
  /^(?:字幕由|請不吝點贊).*$/,
];

/** A word repeated so often is a loop of Whisper's, not speech. */
const REPETITIONS_MIN = 10;

/**
 * Reads a server's answer: OpenAI's JSON in either format, or plain text, which some servers always return.
 * @param type the answer's content type
 * @throws TranscriptionFailedError
 */
export function readTranscript(body: string, type: string): Transcript {
  const answer = parsed(body);
  const said = isObject(answer) ? answer : typeof answer === 'string' ? { text: answer } : null;
  if (said === null && !/^text\/plain\b/i.test(type))
    throw new TranscriptionFailedError('the answer of the server cannot be understood', false);
  const { text: whole, language, segments } = said ?? { text: body };
  if (typeof whole !== 'string')
    throw new TranscriptionFailedError('the answer of the server has no text', false);
  const text = tidy(withoutSilence(whole, segments));
  return isHallucination(text) ? { text: '', language: null } : { text, language: languageCode(language) };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Leaves out the segments that are silence. */
function withoutSilence(whole: string, segments: unknown): string {
  if (!Array.isArray(segments)) return whole;
  const all = segments.filter(isObject);
  const spoken = all.filter(
    ({ no_speech_prob: probability, avg_logprob: logprob }) =>
      !(Number(probability) > NO_SPEECH.probability && Number(logprob) < NO_SPEECH.logprob),
  );
  if (spoken.length === all.length) return whole;
  return spoken.map(({ text }) => (typeof text === 'string' ? text.trim() : '')).join(' ');
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
const tidy = (text: string): string =>
  text.replaceAll('\0', '').toWellFormed().trim().slice(0, CHARACTERS_MAX).toWellFormed();

function isHallucination(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return true;
  if (words.length >= REPETITIONS_MIN && new Set(words).size === 1) return true;
  const line = words.join(' ');
  return HALLUCINATIONS.some((pattern) => pattern.test(line));
}
