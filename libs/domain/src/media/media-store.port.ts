import type { Readable } from 'node:stream';
import { CodedError } from '@app/contracts/coded.errors';

/** Names bytes in the store. Equal bytes of one account are stored once; accounts share none. */
export interface MediaKey {
  accountId: string;
  /** In hexadecimal digits. */
  sha256: string;
  /** A smaller picture of an image, made by us; by default the file itself. */
  variant?: 'preview';
}

/** A file that came whole and is still temporary. */
export interface SpooledFile {
  path: string;
  /** In bytes. */
  size: number;
  sha256: string;
  /** Deletes the temporary file. Does nothing where it is gone. */
  discard(): Promise<void>;
}

/** Part of a file, in bytes. Both ends are included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** More bytes came than allowed. Nothing was kept. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';

  constructor(readonly sizeMax: number) {
    super(`the file has more than ${sizeMax} bytes`);
  }
}

/** The store cannot be reached, or does not do what it is asked for. */
export class StoreUnavailableError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 5;

  constructor(cause: unknown) {
    super('The store of files cannot be reached right now. Repeat the request in a moment.', { cause });
  }
}

/** Where files are kept. A key has whole bytes or none, whatever is killed meanwhile. */
export abstract class MediaStore {
  /**
   * Writes a stream to a temporary file of this machine, in constant memory.
   * @throws FileTooLargeError, StoreUnavailableError
   * @throws whatever the stream throws; nothing is left then
   */
  abstract spool(bytes: AsyncIterable<Uint8Array>, sizeMax: number): Promise<SpooledFile>;

  /**
   * Keeps a temporary file under a key, durably when this resolves. The temporary file is gone or is to be discarded.
   * Bytes that are there already are the same ones.
   * @throws StoreUnavailableError
   */
  abstract put(key: MediaKey, file: SpooledFile): Promise<void>;

  /**
   * @returns null where there are no such bytes; what is opened must be read to its end, or destroyed
   * @throws StoreUnavailableError
   */
  abstract open(key: MediaKey, range?: ByteRange): Promise<Readable | null>;

  /**
   * Does nothing where there are no such bytes.
   * @param signal aborted when nothing may be deleted any more
   * @throws StoreUnavailableError
   */
  abstract remove(key: MediaKey, signal?: AbortSignal): Promise<void>;

  /** Deletes temporary files that killed processes left on this machine. */
  abstract removeLeftovers(): Promise<void>;
}

/** Names a file of an account. */
export interface LinkedFile {
  accountId: string;
  id: string;
}

/** Addresses at which providers fetch files without a key. Whoever has one may read that file until its end. */
export abstract class FileLinks {
  /** Where providers reach this service, without a trailing slash; null: nowhere. */
  abstract address: string | null;

  /** @returns null where the service has no public address. */
  abstract linkOf(file: LinkedFile): string | null;

  /** @returns null for what is none of our addresses, or has ended. */
  abstract read(token: string): LinkedFile | null;
}
