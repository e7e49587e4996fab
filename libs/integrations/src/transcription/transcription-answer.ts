import { isObject } from '@app/contracts/json-object';
import { TranscriptionFailedError, type Transcript } from '@app/domain/media/transcriber.port';
import { languageCode } from './language-code';

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
