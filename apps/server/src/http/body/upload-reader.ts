import type { GivenUpload } from '@app/domain/media/media-uploads.service';
import { FileTooLargeError } from '@app/domain/media/media-store.port';
import { ValidationError } from '@app/contracts/coded.errors';
import busboy, { type Busboy, type FileInfo } from 'busboy';
import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import { onBodyBroken } from '../errors/client-error-responder';

const FIELD = 'file';
/** What a form may have besides the file: boundaries, headers, and fields that nobody knows. */
const AROUND_BYTES_MAX = 1024 * 1024;
const PARTS_MAX = 100;
/** A caller who sends nothing for so long is given up. */
const SILENCE_MS = 15_000;
const FIELD_BYTES_MAX = 1_024;

/** What is taken of a form. */
export interface UploadRules {
  fileBytesMax: number;
  /** The refusal of a larger file. */
  tooLarge: () => Error;
  /** Fields that are taken besides the file; all others are dropped. */
  fields?: readonly string[];
}

/** A file of a form. */
export interface FormUpload extends GivenUpload {
  /** The fields that were asked for. All have come when the bytes have ended. */
  fields: Readonly<Record<string, string>>;
}

const refusal = (path: string, message: string): ValidationError => new ValidationError([{ path, message }]);
const brokenForm = (): ValidationError =>
  refusal('', 'the form was cut off, came too slowly, or is not well formed');
const notOneFile = (): ValidationError =>
  refusal(FIELD, `must be a form with one file in the field "${FIELD}"`);

/**
 * Takes the one file of a form, as its bytes come. Files under other names are dropped.
 * @param keep reads the bytes to their end, which comes only when the whole form has come and has no other such file
 * @throws ValidationError, and what is too large; whatever else of the body comes is dropped then
 */
export async function takeUpload<T>(
  request: Request,
  response: Response,
  rules: UploadRules,
  keep: (upload: FormUpload) => Promise<T>,
): Promise<T> {
  try {
    requireForm(request, rules);
    const form = new UploadForm(request, rules);
    try {
      return await keep(await form.file());
    } finally {
      form.close();
    }
  } catch (error) {
    if (!request.readableEnded) {
      response.setHeader('Connection', 'close');
      request.resume();
    }
    throw error instanceof FileTooLargeError ? rules.tooLarge() : error;
  }
}

function requireForm({ headers }: Request, { fileBytesMax, tooLarge }: UploadRules): void {
  if (!/^multipart\/form-data\s*;/i.test(headers['content-type'] ?? ''))
    throw refusal('', 'the Content-Type must be multipart/form-data with a boundary');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw refusal('', 'a compressed body is not taken: send it without Content-Encoding');
  if (Number(headers['content-length']) > fileBytesMax + AROUND_BYTES_MAX) throw tooLarge();
}

/** Browsers write so what would end a name or its line, and nothing else: a per cent sign of the name stays one. */
const unescaped = (name: string | undefined): string | null =>
  name?.replace(/%(?:22|0D|0A)/g, (sign) => decodeURIComponent(sign)) ?? null;

/** A form on its way. */
class UploadForm {
  private readonly parser: Busboy;
  private readonly ended = Promise.withResolvers<void>();
  private readonly found = Promise.withResolvers<FormUpload>();
  private readonly fields: Record<string, string> = {};
  private readonly silence: NodeJS.Timeout;
  private part: Readable | null = null;
  private received = 0;

  constructor(
    private readonly request: Request,
    private readonly rules: UploadRules,
  ) {
    // Both are awaited by whoever has got so far.
    this.ended.promise.catch(() => undefined);
    this.found.promise.catch(() => undefined);
    this.silence = setTimeout(() => this.fail(brokenForm()), SILENCE_MS);
    this.parser = parserOf(request);
    this.parser
      .on('file', (field, bytes, info) => this.take(field, bytes, info))
      .on('field', (field, value, { valueTruncated }) => this.note(field, value, valueTruncated))
      .on('partsLimit', () => this.fail(refusal('', `must be a form of at most ${PARTS_MAX} parts`)))
      .on('error', () => this.fail(brokenForm()))
      .on('close', () => this.end());
    request.on('data', this.heard);
    request.once('close', this.cut);
    onBodyBroken(request, this.cut);
    // The caller left during admission, so none of the events will come.
    if (request.destroyed) this.fail(brokenForm());
    else request.pipe(this.parser);
  }

  /** The file, when its first bytes come. */
  file(): Promise<FormUpload> {
    return this.found.promise;
  }

  /** Ends what is not over. */
  close(): void {
    clearTimeout(this.silence);
    this.request.off('data', this.heard).off('close', this.cut).unpipe(this.parser);
    this.parser.destroy();
  }

  private readonly heard = (chunk: Buffer): void => {
    this.silence.refresh();
    this.received += chunk.length;
    const { fileBytesMax, tooLarge } = this.rules;
    if (this.received > fileBytesMax + AROUND_BYTES_MAX) this.fail(tooLarge());
  };

  private readonly cut = (): void => {
    if (!this.request.readableEnded) this.fail(brokenForm());
  };

  private note(field: string, value: string, isCut: boolean): void {
    if (field === FIELD) return this.fail(notOneFile());
    if (!this.rules.fields?.includes(field)) return;
    if (Object.hasOwn(this.fields, field)) return this.fail(refusal(field, 'is given twice'));
    if (isCut) return this.fail(refusal(field, `must be at most ${FIELD_BYTES_MAX} bytes long`));
    if (/[\0\uFFFD]/.test(value)) return this.fail(refusal(field, 'must be UTF-8 without the NUL character'));
    this.fields[field] = value;
  }

  private take(field: string, bytes: Readable, { filename, mimeType }: FileInfo): void {
    bytes.on('error', () => undefined);
    if (field !== FIELD) return void bytes.resume();
    if (this.part) {
      bytes.resume();
      return this.fail(notOneFile());
    }
    this.part = bytes;
    const { fields } = this;
    this.found.resolve({ bytes: this.whole(bytes), name: unescaped(filename), mimeType, fields });
  }

  private async *whole(bytes: Readable): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of bytes) yield chunk as Buffer;
    } catch {
      // The form says what was wrong.
      await this.ended.promise;
      throw brokenForm();
    }
    await this.ended.promise;
  }

  private end(): void {
    clearTimeout(this.silence);
    this.found.reject(notOneFile());
    this.ended.resolve();
  }

  private fail(error: Error): void {
    clearTimeout(this.silence);
    this.found.reject(error);
    this.ended.reject(error);
    this.part?.destroy(error);
  }
}

/** @throws ValidationError where the headers name no boundary */
function parserOf({ headers }: Request): Busboy {
  try {
    // Names keep their folders here: whoever keeps the file takes them off.
    const limits = { fieldSize: FIELD_BYTES_MAX, parts: PARTS_MAX };
    return busboy({ headers, preservePath: true, defParamCharset: 'utf8', limits });
  } catch {
    throw refusal('', 'the Content-Type must be multipart/form-data with a boundary');
  }
}
