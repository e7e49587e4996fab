import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { CodedError } from '@app/contracts/coded.errors';
import { StoreUnavailableError } from '@app/domain/media/media-store.port';
import type {
  ChannelConnection,
  FileToGive,
  GivenFile,
} from '@app/domain/messages/dispatch/message-sender.port';
import { Client, type Dispatcher } from 'undici';
import { fieldOf, LONGEST_SHOWN, readBody, textOf, type ShownBody } from '../http/shown-body';
import { isRefusal, messageIdOf } from '../http/unusable-outcome';
import { retryAfterMs } from '../http/retry-after-header';
import { explainRefusal, readCloudError, throttleScope } from './cloud-outcome-reader';

const CONNECT_MS = 3_000;

/** Gives files to Meta: it answers with an id, by which messages of the number carry the file for 30 days. */
export class CloudFileUpload {
  constructor(
    private readonly apiUrl: string,
    private readonly version: string,
  ) {}

  /**
   * Never throws because of the provider or the network.
   * @throws CodedError where we cannot read our own bytes: no fault of the provider
   */
  async upload(connection: ChannelConnection, file: FileToGive, signal: AbortSignal): Promise<GivenFile> {
    const bytes = new OwnBytes(file);
    const form = formOf(file, bytes);
    const answer = await this.post(
      connection,
      `${encodeURIComponent(connection.sender)}/media`,
      signal,
      bytes,
      {
        headers: {
          authorization: `Bearer ${connection.credential}`,
          'content-type': `multipart/form-data; boundary=${form.boundary}`,
          'content-length': String(form.size),
        },
        body: Readable.from(form.bytes()),
      },
    );
    if ('kind' in answer) return answer;
    const id = answer.status === 200 ? messageIdOf(fieldOf(answer.body.json, 'id')) : null;
    if (id === null) return unreadable(answer);
    return { kind: 'given', media: { id, filename: file.name ?? undefined } };
  }

  /**
   * Gives a file as the sample of a template's header, in a session of its own.
   * Source: Meta, Resumable Upload API: `POST /{app-id}/uploads`, then the bytes to `POST /upload:{session}` with
   * `Authorization: OAuth` and `file_offset: 0`; the answer's `h` is the handle.
   * @throws CodedError as {@link upload} does
   */
  async uploadSample(
    connection: ChannelConnection,
    appId: string,
    file: FileToGive,
    signal: AbortSignal,
  ): Promise<{ kind: 'handle'; handle: string } | FailedUpload> {
    const bytes = new OwnBytes(file);
    const authorization = `OAuth ${connection.credential}`;
    const about = new URLSearchParams({
      ...{ file_name: file.name ?? 'sample', file_length: String(file.size), file_type: file.mimeType },
    });
    const path = `${encodeURIComponent(appId)}/uploads?${about.toString()}`;
    const begun = await this.post(connection, path, signal, bytes, { headers: { authorization } });
    if ('kind' in begun) return begun;
    const session = textOf(fieldOf(begun.body.json, 'id'));
    // It becomes a path, which gets our token.
    if (!SESSION.test(session)) return unreadable(begun);
    const ended = await this.post(connection, session, signal, bytes, {
      headers: {
        authorization,
        file_offset: '0',
        'content-type': 'application/octet-stream',
        'content-length': String(file.size),
      },
      body: Readable.from(bytes.read()),
    });
    if ('kind' in ended) return ended;
    const handle = textOf(fieldOf(ended.body.json, 'h'));
    return handle === '' ? unreadable(ended) : { kind: 'handle', handle };
  }

  private async post(
    { credential }: ChannelConnection,
    path: string,
    signal: AbortSignal,
    bytes: OwnBytes,
    request: Pick<Dispatcher.RequestOptions, 'headers' | 'body'>,
  ): Promise<Answer | FailedUpload> {
    const { origin, pathname } = new URL(this.apiUrl);
    // By a connection of its own: an upload may take minutes, and nothing of it is a message.
    const client = new Client(origin, {
      ...{ pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 },
      connect: { timeout: CONNECT_MS },
    });
    try {
      const answer = await client.request({
        ...{ method: 'POST', signal, path: `${pathname.replace(/\/+$/, '')}/${this.version}/${path}` },
        ...request,
      });
      return await read(answer, credential);
    } catch (error) {
      if (bytes.fault) throw bytes.fault;
      return failed(`The connection broke: ${wordOf(error)}.`);
    } finally {
      void client.destroy().catch(() => undefined);
    }
  }
}

type FailedUpload = Extract<GivenFile, { kind: 'failed' }>;

/** An answer that is no refusal. */
interface Answer {
  status: number;
  body: ShownBody;
}

const SESSION = /^upload:[\w=+/?&.:%-]{1,2000}$/;

const unreadable = ({ status, body }: Answer): FailedUpload =>
  failed(`HTTP status ${status} without a readable id.`, body.shown);

/** Messages of the network may name addresses. */
function wordOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : (name ?? 'unknown');
}

/** The bytes of a file of ours, and why they did not come. */
class OwnBytes {
  fault: CodedError | null = null;

  constructor(private readonly file: FileToGive) {}

  async *read(): AsyncGenerator<Uint8Array> {
    // An error of the connection is thrown into the generator where it waits for the next chunk to be asked for.
    let isReading = true;
    try {
      for await (const chunk of await this.file.open()) {
        isReading = false;
        yield chunk;
        isReading = true;
      }
    } catch (error) {
      if (isReading) this.fault = error instanceof CodedError ? error : new StoreUnavailableError(error);
      throw error;
    }
  }
}

/** A multipart form of which only the file's bytes are read later. */
function formOf(file: FileToGive, bytes: OwnBytes) {
  const { name, mimeType, size } = file;
  const boundary = `leadline-${randomUUID()}`;
  const field = (words: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${words}\r\n${value}`;
  // As browsers write names (HTML, multipart form data).
  const shown = (name ?? 'file').replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const head = Buffer.from(
    field('name="messaging_product"', '\r\nwhatsapp\r\n') +
      field('name="type"', `\r\n${mimeType}\r\n`) +
      field(`name="file"; filename="${shown}"`, `Content-Type: ${mimeType}\r\n\r\n`),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    boundary,
    size: head.length + size + tail.length,
    async *bytes(): AsyncGenerator<Uint8Array> {
      yield head;
      yield* bytes.read();
      yield tail;
    },
  };
}

async function read(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  credential: string,
): Promise<Answer | FailedUpload> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, LONGEST_SHOWN - size));
    size += chunk.length;
    if (size > LONGEST_SHOWN) break;
  }
  const answer = readBody(Buffer.concat(chunks), size > LONGEST_SHOWN, credential);
  if (isRefusal(status)) return refused(status, headers, answer);
  return { status, body: answer };
}

function refused(
  status: number,
  headers: Dispatcher.ResponseData['headers'],
  answer: ShownBody,
): FailedUpload {
  const { code, words } = readCloudError(status, answer);
  const explained = explainRefusal(status, code, words);
  const waitMs = retryAfterMs(headers);
  return {
    ...{ kind: 'failed', code: explained.code, providerCode: code, message: explained.message },
    ...{ response: answer.shown, isFinal: true },
    ...(throttleScope(status, code) && waitMs !== null
      ? { retryAfterSeconds: Math.ceil(waitMs / 1_000) }
      : {}),
  };
}

const failed = (message: string, response: unknown = null): FailedUpload => ({
  ...{ kind: 'failed', code: 'PROVIDER_ERROR', providerCode: null, message, response, isFinal: false },
});
