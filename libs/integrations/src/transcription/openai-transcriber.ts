import { networkCode, PASSING_STATUSES } from '../model/model-failure';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { processLimits } from '@app/config/process-limits';
import type { TranscriptionSettings } from '@app/config/settings-config';
import { asSpan } from '@app/contracts/trace-recorder';
import {
  Transcriber,
  TranscriptionFailedError,
  type Transcript,
  type Recording,
} from '@app/domain/media/transcriber.port';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Pool, type Dispatcher } from 'undici';
import { retryAfterMs } from '../http/retry-after-header';
import { readTranscript } from './transcription-answer';

const LIMITS = processLimits('transcriber', {
  connectMs: 10_000,
  /** Half an hour of audio takes a small server minutes. */
  wholeMs: 300_000,
  /** Of an answer: half an hour of segments takes a tenth of it. */
  answerBytes: 4 * 1024 * 1024,
  connections: 16,
});

const PATH = '/audio/transcriptions';

/**
 * Servers take a file by the ending of its name, and then look at its bytes: what OpenAI has no ending for goes under one
 * of a kind that the same decoders open (DevEmperor/DictateKeyboard#322, letta-ai/lettabot#96).
 */
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'm4a',
  'audio/amr': 'mp3',
  'audio/3gpp': 'mp4',
};

/** The first tells the language and what is silence; some models refuse it (vercel/ai#8214). */
const FORMATS = ['verbose_json', 'json'] as const;
/** Statuses by which servers refuse a part of a request. */
const REFUSES_PART = new Set([400, 404, 415, 422, 501]);

/** A server's answer, read whole. */
interface Answer {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: string;
}

/** A model behind any endpoint that speaks OpenAI's transcriptions. */
export class OpenAiTranscriber extends Transcriber implements OnApplicationShutdown {
  private readonly url: URL | null;
  private readonly pool: Pool | null;
  /** What the server has refused is not asked for again. */
  private formats: readonly string[] = FORMATS;

  constructor(private readonly settings: TranscriptionSettings | null) {
    super();
    this.url = settings && addressOf(settings.baseUrl);
    this.pool =
      this.url &&
      new Pool(this.url.origin, {
        connections: LIMITS.connections,
        pipelining: 1,
        allowH2: false,
        connect: { timeout: LIMITS.connectMs },
        // The request as a whole has a time limit.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
  }

  get isOn(): boolean {
    return this.settings !== null;
  }

  transcribe(recording: Recording, signal: AbortSignal): Promise<Transcript> {
    return asSpan(
      () => ({
        ...{ name: 'transcribe', kind: 'client' },
        facts: {
          'gen_ai.operation.name': 'transcribe',
          'gen_ai.request.model': this.settings?.name,
          'server.address': this.url?.hostname,
        },
      }),
      () => this.ask(recording, signal),
    );
  }

  private async ask(recording: Recording, signal: AbortSignal): Promise<Transcript> {
    const { formats } = this;
    for (const format of formats) {
      const answer = await this.post(recording, format, signal);
      const { status, headers, body } = answer;
      if (status >= 200 && status <= 299) {
        // Only once the server has taken the other one: it may have refused the audio itself.
        if (format !== formats[0]) this.formats = [format];
        return readTranscript(body, String(headers['content-type'] ?? ''));
      }
      if (format === formats.at(-1) || !REFUSES_PART.has(status)) throw refusedWith(answer);
    }
    throw new TranscriptionFailedError('no format is left to ask for', false);
  }

  private async post(recording: Recording, format: string, signal: AbortSignal): Promise<Answer> {
    const { settings, url, pool } = this;
    if (!settings || !url || !pool)
      throw new TranscriptionFailedError('no model for it is configured', false);
    const limit = AbortSignal.timeout(LIMITS.wholeMs);
    const form = await formOf(recording, { model: settings.name, response_format: format });
    try {
      const answer = await pool.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers: {
          'user-agent': 'Leadline/1',
          accept: 'application/json',
          ...(settings.apiKey !== null && { authorization: `Bearer ${settings.apiKey}` }),
          ...form.headers,
        },
        body: form.body,
        signal: AbortSignal.any([signal, limit]),
      });
      return { status: answer.statusCode, headers: answer.headers, body: await textOf(answer.body) };
    } catch (error) {
      if (error instanceof TranscriptionFailedError) throw error;
      if (limit.aborted)
        throw new TranscriptionFailedError(`the server took more than ${LIMITS.wholeMs / 1_000} s`, true);
      throw new TranscriptionFailedError(`the connection to the server failed${networkCode(error)}`, true);
    } finally {
      form.body.destroy();
    }
  }

  /** Ends all requests at once: another process makes them again. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }
}

/** An endpoint, or the whole address, as Azure's has parameters behind it. */
function addressOf(baseUrl: string): URL {
  const url = new URL(baseUrl);
  if (!url.pathname.endsWith(PATH)) url.pathname = url.pathname.replace(/\/+$/, '') + PATH;
  return url;
}

/**
 * A form of known length, whose file passes through in parts: a body in chunks is refused as too large by some servers
 * (opencast/opencast#552), and lost by others. The fields come before the file, by which gateways choose the model.
 */
async function formOf(
  recording: Recording,
  fields: Readonly<Record<string, string>>,
): Promise<{ headers: Record<string, string>; body: Readable }> {
  const { mimeType, size } = recording;
  const boundary = `leadline-${randomUUID()}`;
  const part = (disposition: string, rest: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${rest}`;
  const named = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`));
  const file = `name="file"; filename="audio.${ENDINGS[mimeType] ?? 'ogg'}"`;
  const head = Buffer.from(named.join('') + part(file, `Content-Type: ${mimeType}\r\n\r\n`));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const bytes = await recording.open();
  async function* pieces(): AsyncGenerator<Buffer> {
    try {
      yield head;
      yield* bytes as AsyncIterable<Buffer>;
      yield tail;
    } finally {
      bytes.destroy();
    }
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    },
    body: Readable.from(pieces(), { objectMode: false }).on('close', () => bytes.destroy()),
  };
}

async function textOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    if (bytes > LIMITS.answerBytes)
      throw new TranscriptionFailedError('the server answered with too much', false);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** The server's own words stay with it: they may repeat what was said. */
function refusedWith({ status, headers }: Answer): TranscriptionFailedError {
  const mayRetry = status >= 500 || PASSING_STATUSES.has(status);
  return new TranscriptionFailedError(
    `the server answered with the status ${status}`,
    mayRetry && status !== 501,
    retryAfterMs(headers),
  );
}
