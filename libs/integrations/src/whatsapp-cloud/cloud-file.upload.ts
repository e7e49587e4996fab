import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { CodedError } from '@app/contracts/coded.error';
import { StoreUnavailableError } from '@app/domain/media/media-store.port';
import type { ChannelConnection, FileToGive, GivenFile } from '@app/domain/messages/message-sender.port';
import { Client, type Dispatcher } from 'undici';
import { fieldOf, LONGEST_SHOWN, readBody, type ShownBody } from '../http/shown.body';
import { isRefusal, messageIdOf } from '../http/unusable.outcome';
import { retryAfterMs } from '../http/retry-after.header';
import { explainRefusal, readCloudError, throttleScope } from './cloud-outcome.reader';

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
    const { origin, pathname } = new URL(this.apiUrl);
    // By a connection of its own: an upload may take minutes, and nothing of it is a message.
    const client = new Client(origin, {
      ...{ pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 },
      connect: { timeout: CONNECT_MS },
    });
    const bytes = new OwnBytes(file);
    try {
      const path = `${pathname.replace(/\/+$/, '')}/${this.version}/${encodeURIComponent(connection.sender)}/media`;
      const form = formOf(file, bytes);
      const answer = await client.request({
        ...{ method: 'POST', path, signal, body: Readable.from(form.bytes()) },
        headers: {
          authorization: `Bearer ${connection.credential}`,
          'content-type': `multipart/form-data; boundary=${form.boundary}`,
          'content-length': String(form.size),
        },
      });
      return await read(answer, connection.credential, file.name);
    } catch (error) {
      if (bytes.fault) throw bytes.fault;
      return failed(`The connection broke: ${wordOf(error)}.`);
    } finally {
      void client.destroy().catch(() => undefined);
    }
  }
}

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
  name: string | null,
): Promise<GivenFile> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, LONGEST_SHOWN - size));
    size += chunk.length;
    if (size > LONGEST_SHOWN) break;
  }
  const answer = readBody(Buffer.concat(chunks), size > LONGEST_SHOWN, credential);
  if (isRefusal(status)) return refused(status, headers, answer);
  const id = status === 200 ? messageIdOf(fieldOf(answer.json, 'id')) : null;
  if (id === null) return failed(`HTTP status ${status} without a readable id.`, answer.shown);
  return { kind: 'given', media: { id, filename: name ?? undefined } };
}

function refused(status: number, headers: Dispatcher.ResponseData['headers'], answer: ShownBody): GivenFile {
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

const failed = (message: string, response: unknown = null): GivenFile => ({
  ...{ kind: 'failed', code: 'PROVIDER_ERROR', providerCode: null, message, response, isFinal: false },
});
