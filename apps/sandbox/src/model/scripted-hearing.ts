import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleOf } from '../files/file-kinds';
import { FILE_BYTES_MAX, type Call, type CallRouter } from '../http/call-router';
import { answer, answerJson, record, text } from '../http/json.answer';
import { answerOfError, malformed, ModelError } from './chat.request';
import { ScriptError } from './reply-script';

/** What a test has the model hear. */
interface ScriptedTranscript {
  text: string;
  /** As a server calls it: `english`, `en`. */
  language: string | null;
  segments: unknown[] | null;
  /** Refuses with this. */
  status: number | null;
  /** Refuses `verbose_json`, as OpenAI's newer models do. */
  isPlain: boolean;
  delayMs: number;
  /** Never answers. */
  isHanging: boolean;
  /** Only for files whose bytes have this text. */
  when: string | null;
  /** How many more requests get it; null: all. */
  left: number | null;
}

/** One request, as it came. */
interface HearingEntry {
  n: number;
  at: number;
  model: string;
  response_format: string | null;
  file_name: string;
  type: string;
  bytes: number;
  sha256: string;
  /** Whether the file came after the fields, and with the length of the whole. */
  in_order: boolean;
}

/** Formats whose names the endpoint takes, as OpenAI's does. */
const ENDINGS = /\.(?:flac|m4a|mp3|mp4|mpeg|mpga|oga|ogg|wav|webm)$/i;
/** OpenAI's limit for the whole request is a little larger. */
const BYTES_MAX = 25 * 1024 * 1024;
const ENTRIES_MAX = 1_000;

/** What the samples of the customer's phone say. */
const SAMPLES = {
  voice: { text: 'Здравствуйте! Сколько стоит доставка в Алматы?', language: 'russian' },
  audio: { text: 'Hello! How much is the delivery to Almaty?', language: 'english' },
} as const;

/**
 * A model that speaks OpenAI's transcriptions at `/v1/audio/transcriptions`. It hears what it was told to, and what the
 * phone's samples say; of any other recording it says that it cannot listen.
 */
export class ScriptedHearing {
  private transcripts: ScriptedTranscript[] = [];
  private entries: HearingEntry[] = [];
  private total = 0;

  addTo(router: CallRouter): void {
    const hear = (call: Call): Promise<void> =>
      this.hear(call).catch((error: unknown) => {
        if (!(error instanceof ModelError)) throw error;
        answer(call.response, answerOfError(error));
      });
    router.on('POST', /^\/v1\/audio\/transcriptions$/, hear, FILE_BYTES_MAX);
  }

  /** @throws ScriptError; then none is stored */
  add(given: unknown): number {
    const added = (Array.isArray(given) ? given : [given]).map(readTranscript);
    this.transcripts.push(...added);
    return this.transcripts.length;
  }

  /** Oldest first. */
  list(): readonly HearingEntry[] {
    return this.entries;
  }

  clear(): void {
    this.transcripts = [];
    this.entries = [];
  }

  private async hear({ request, response, body }: Call): Promise<void> {
    const { 'content-type': type = '', 'content-length': length } = request.headers;
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
      .formData()
      .catch(() => null);
    const file = form?.get('file');
    if (!form || !(file instanceof File)) throw malformed("Missing required parameter: 'file'.", 'file');
    const model = form.get('model');
    if (typeof model !== 'string' || model === '')
      throw malformed("Missing required parameter: 'model'.", 'model');
    const bytes = Buffer.from(await file.arrayBuffer());
    const format = form.get('response_format');
    this.note({
      model,
      response_format: typeof format === 'string' ? format : null,
      ...{ file_name: file.name, type: file.type, bytes: bytes.length, sha256: sha256Of(bytes) },
      in_order: [...form.keys()].at(-1) === 'file' && length === String(body.length),
    });
    if (!ENDINGS.test(file.name)) throw malformed('Unrecognized file format.', 'file');
    if (bytes.length > BYTES_MAX) throw new ModelError(413, 'Maximum content size limit exceeded.');
    const heard = this.take(bytes) ?? sampleHeard(bytes);
    if (heard.isHanging) return;
    if (heard.delayMs > 0) await sleep(heard.delayMs);
    if (heard.status !== null) throw new ModelError(heard.status, 'Refused as told.');
    if (format === 'verbose_json') {
      if (heard.isPlain)
        throw malformed(`response_format 'verbose_json' is not compatible with model '${model}'.`);
      const { text: said, language, segments } = heard;
      return answerJson(response, 200, {
        task: 'transcribe',
        ...{ text: said, language },
        ...(segments && { segments }),
      });
    }
    answerJson(response, 200, { text: heard.text });
  }

  private take(bytes: Buffer): ScriptedTranscript | null {
    const index = this.transcripts.findIndex(({ when }) => when === null || bytes.includes(when));
    const found = this.transcripts[index];
    if (!found) return null;
    if (found.left !== null) {
      found.left -= 1;
      if (found.left === 0) this.transcripts.splice(index, 1);
    }
    return found;
  }

  private note(entry: Omit<HearingEntry, 'n' | 'at'>): void {
    this.total += 1;
    this.entries.push({ n: this.total, at: Date.now(), ...entry });
    if (this.entries.length > ENTRIES_MAX) this.entries.shift();
  }
}

function sampleHeard(bytes: Buffer): ScriptedTranscript {
  const kind = (['voice', 'audio'] as const).find((each) => sampleOf(each).bytes.equals(bytes));
  const unknown = {
    text: `(The sandbox cannot listen to this recording of ${bytes.length} bytes.)`,
    language: 'english',
  };
  return readTranscript(kind ? SAMPLES[kind] : unknown);
}

function readTranscript(value: unknown): ScriptedTranscript {
  const given = record(value);
  if (!given) throw new ScriptError('A transcript must be a JSON object.');
  const { times = 1, status = null, delay_ms: delayMs = 0, segments = null } = given;
  if (times !== null && !isWhole(times)) throw new ScriptError('times must be a whole number, or null.');
  if (status !== null && !isWhole(status)) throw new ScriptError('status must be a whole number.');
  if (!isWhole(delayMs)) throw new ScriptError('delay_ms must be a whole number.');
  return {
    text: text(given.text) ?? '',
    language: text(given.language),
    segments: Array.isArray(segments) ? segments : null,
    ...{ status, delayMs, left: times, when: text(given.when) },
    ...{ isPlain: given.plain === true, isHanging: given.act === 'hang' },
  };
}

const isWhole = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
