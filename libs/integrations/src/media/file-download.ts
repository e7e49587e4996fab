import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import {
  DOWNLOAD_TIMES,
  DownloadFailedError,
  FILE_BYTES_MAX,
  type Download,
} from '@app/domain/media/media-download.port';
import { FileTooLargeError } from '@app/domain/media/media-store.port';
import { Client } from 'undici';
import type { FileAddresses } from './file-addresses';

/** How a host's name becomes an address; by default as the system does it. */
interface Lookup {
  lookup?: LookupFunction;
}

/** The head of an answer, whose bytes are still on their way. */
interface OpenedAnswer extends Download {
  status: number;
  headers: IncomingHttpHeaders;
  /** Ends the connection. */
  close(): void;
}

/**
 * Asks for one file, by a connection of its own. Nothing is followed, repeated or decompressed.
 * @param connect how the address is looked up
 * @throws DownloadFailedError, FileTooLargeError
 */
async function openFile(
  url: URL,
  headers: Readonly<Record<string, string>>,
  connect: Lookup,
  signal: AbortSignal,
): Promise<OpenedAnswer> {
  const { connectMs, silenceMs } = DOWNLOAD_TIMES;
  const client = new Client(url.origin, {
    pipelining: 1,
    allowH2: false,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    connect: { ...connect, timeout: connectMs },
  });
  const close = (): void => void client.destroy().catch(() => undefined);
  try {
    const answer = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: { 'user-agent': 'Leadline/1', accept: '*/*', 'accept-encoding': 'identity', ...headers },
      signal,
    });
    answer.body.on('error', () => undefined);
    const length = Number(answer.headers['content-length'] ?? 0);
    if (length > FILE_BYTES_MAX) throw new FileTooLargeError(FILE_BYTES_MAX);
    const mimeType = answer.headers['content-type'];
    return {
      status: answer.statusCode,
      headers: answer.headers,
      mimeType: typeof mimeType === 'string' ? mimeType : null,
      size: length || null,
      sha256: null,
      bytes: bytesOf(answer.body as AsyncIterable<Buffer>, close),
      close,
    };
  } catch (error) {
    close();
    throw error instanceof FileTooLargeError ? error : brokenBy(error);
  }
}

/** undici fails where fewer or more bytes come than the answer's head says. */
async function* bytesOf(body: AsyncIterable<Buffer>, close: () => void): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw brokenBy(error);
  } finally {
    close();
  }
}

/** Messages of the network may name addresses, so only their codes are used. */
function brokenBy(error: unknown): DownloadFailedError {
  const { code, name } = error as { code?: unknown; name?: string };
  const word = typeof code === 'string' ? code : (name ?? 'unknown');
  return new DownloadFailedError(`the connection broke: ${word}`, { cause: error });
}

const REDIRECTS_MAX = 3;

/**
 * Downloads a file by its address. Redirects are followed to addresses that may be called.
 * @param headersFor what an address is sent
 * @throws DownloadFailedError, FileTooLargeError
 */
export async function downloadFile(
  address: string,
  addresses: FileAddresses,
  headersFor: (url: URL) => Record<string, string>,
  signal: AbortSignal,
): Promise<Download> {
  let url = URL.parse(address);
  for (let hops = 0; ; hops += 1) {
    const connect = url && addresses.connectTo(url);
    if (!url || !connect) throw new DownloadFailedError('its address is not one that is called');
    const answer = await openFile(url, headersFor(url), connect, signal);
    if (answer.status === 200) return answer;
    answer.close();
    const isRedirect = answer.status >= 300 && answer.status < 400;
    if (!isRedirect) throw new DownloadFailedError(`the provider answered ${answer.status}`);
    if (hops === REDIRECTS_MAX) throw new DownloadFailedError('the provider redirects too often');
    url = URL.parse(answer.headers.location ?? '', url.href);
  }
}
