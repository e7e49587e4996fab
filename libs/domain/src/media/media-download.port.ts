import { processLimits } from '@app/config/process-limits';
import type { ChannelConnection } from '../messages/dispatch/message-sender.port';

/** The largest file that is fetched: WhatsApp takes no larger one. */
export const FILE_BYTES_MAX = 100 * 1024 * 1024;

export const DOWNLOAD_TIMES = processLimits('downloads', {
  connectMs: 10_000,
  /** Without a byte for so long a provider is taken to hang. */
  silenceMs: 15_000,
  /** 100 MiB by 350 KB a second. */
  wholeMs: 5 * 60_000,
});

/** A file did not come. The reason is half a sentence, without addresses and secrets. */
export class DownloadFailedError extends Error {
  override readonly name = 'DownloadFailedError';
}

/** A file that cannot be fetched at all, so trying again is of no use. */
export class UnfetchableFileError extends DownloadFailedError {}

/** Bytes that are on their way. */
export interface Download {
  /** Ends when the file is whole, and throws {@link DownloadFailedError} when it does not come whole. */
  bytes: AsyncIterable<Uint8Array>;
  /** What the provider says of their type. */
  mimeType: string | null;
  /** In bytes, as the provider says it. */
  size: number | null;
  /** Of the whole file, in hexadecimal digits, as the provider says it. */
  sha256: string | null;
}

/** Fetches customers' files from their providers. */
export abstract class MediaDownloads {
  /**
   * @param reference Meta's id of the file, or an address
   * @param signal ends the download; who does not read the bytes to their end must abort it
   * @throws DownloadFailedError
   * @throws FileTooLargeError where the provider says so
   */
  abstract open(connection: ChannelConnection, reference: string, signal: AbortSignal): Promise<Download>;
}
