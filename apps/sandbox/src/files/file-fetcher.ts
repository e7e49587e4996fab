import type { Dispatcher } from 'undici';
import { BYTES_MAX, bareType, TYPES_TAKEN, type FileKind } from './file-kinds';
import type { FileStore, StoredFile } from './file.store';

const FETCH_MS = 10_000;
/** Gupshup's own codes of a file that it cannot pass on. */
const INVALID_URL = 1010;
const INVALID_SIZE = 1011;
const WRONG_TYPE = 131053;

/** What the provider got, or the code with which the message fails. */
export type FetchedFile = { file: StoredFile } | { failure: number };

/** Fetches what a business wants to send, as Gupshup does after it has accepted the message. */
export class FileFetcher {
  constructor(
    private readonly client: Dispatcher,
    private readonly files: FileStore,
  ) {}

  async fetch(sender: string, type: string, url: string, name: string | null): Promise<FetchedFile> {
    const kind: Exclude<FileKind, 'voice'> = type === 'file' ? 'document' : (type as 'image');
    const got = await this.get(url, BYTES_MAX[kind]).catch(() => null);
    if (!got) return { failure: INVALID_URL };
    if ('failure' in got) return got;
    const { bytes, mimeType } = got;
    // Gupshup passes on documents of any type.
    if (kind !== 'document' && !TYPES_TAKEN[kind].includes(bareType(mimeType)))
      return { failure: WRONG_TYPE };
    return { file: this.files.add({ sender, bytes, mimeType, name }) };
  }

  private async get(
    url: string,
    bytesMax: number,
  ): Promise<{ bytes: Buffer; mimeType: string } | { failure: number }> {
    const { origin, pathname, search } = new URL(url);
    const { statusCode, headers, body } = await this.client.request({
      origin,
      path: pathname + search,
      method: 'GET',
      signal: AbortSignal.timeout(FETCH_MS),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bytesMax) {
        body.destroy();
        return { failure: INVALID_SIZE };
      }
      chunks.push(chunk);
    }
    if (statusCode !== 200) return { failure: INVALID_URL };
    if (size === 0) return { failure: INVALID_SIZE };
    const type = headers['content-type'];
    return { bytes: Buffer.concat(chunks), mimeType: typeof type === 'string' ? type : '' };
  }
}
