import { isObject } from '@app/contracts/json.object';
import { TranscriptionFailedError, type Heard } from '@app/domain/media/transcriber.port';
import { languageCode } from './spoken.language';

/** Half an hour of fast speech has a third of it. */
const CHARACTERS_MAX = 100_000;

/** By which Whisper itself takes a segment for silence. */
const NO_SPEECH = { probability: 0.6, logprob: -1 };

/**
 * What Whisper writes where nothing is said: its teachers were the subtitles of films. Nobody sends only that to a
 * business.
 */
const FILM_WORDS = [
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

/** A word that Whisper says over and over has nobody said. */
const REPEATED_LEAST = 10;

/**
 * What a server has heard: OpenAI's JSON in either form, or the text itself, which some answer whatever is asked for.
 * @param type of the answer
 * @throws TranscriptionFailedError
 */
export function heardIn(body: string, type: string): Heard {
  const answer = parsed(body);
  const said = isObject(answer) ? answer : typeof answer === 'string' ? { text: answer } : null;
  if (said === null && !/^text\/plain\b/i.test(type))
    throw new TranscriptionFailedError('the answer of the server cannot be understood', false);
  const { text: whole, language, segments } = said ?? { text: body };
  if (typeof whole !== 'string')
    throw new TranscriptionFailedError('the answer of the server has no text', false);
  const text = tidy(spokenOf(whole, segments));
  return isInvented(text) ? { text: '', language: null } : { text, language: languageCode(language) };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Without segments that are taken for silence. */
function spokenOf(whole: string, segments: unknown): string {
  if (!Array.isArray(segments)) return whole;
  const all = segments.filter(isObject);
  const spoken = all.filter(
    ({ no_speech_prob: probability, avg_logprob: logprob }) =>
      !(Number(probability) > NO_SPEECH.probability && Number(logprob) < NO_SPEECH.logprob),
  );
  if (spoken.length === all.length) return whole;
  return spoken.map(({ text }) => (typeof text === 'string' ? text.trim() : '')).join(' ');
}

/** As the database takes it. */
const tidy = (text: string): string =>
  text.replaceAll('\0', '').toWellFormed().trim().slice(0, CHARACTERS_MAX).toWellFormed();

function isInvented(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return true;
  if (words.length >= REPEATED_LEAST && new Set(words).size === 1) return true;
  const line = words.join(' ');
  return FILM_WORDS.some((pattern) => pattern.test(line));
}
