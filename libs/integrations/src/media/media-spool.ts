import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type MediaKey,
  StoreUnavailableError,
  FileTooLargeError,
  type SpooledFile,
} from '@app/domain/media/media-store.port';

const ACCOUNT = /^[0-9a-f-]{36}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** The place of bytes in a store, relative to its root. @throws Error for a key that is none. */
export function pathOf({ accountId, sha256, variant }: MediaKey): string {
  if (!ACCOUNT.test(accountId) || !SHA256.test(sha256)) throw new Error('this names no file');
  return `${accountId}/${sha256.slice(0, 2)}/${sha256}${variant ? `.${variant}` : ''}`;
}

/**
 * Does something with files of this machine. A disk that is full, broken, read-only or not what it should be is a store
 * that is away: administrators mend it, and the request can be repeated.
 * @throws StoreUnavailableError
 */
export async function onDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new StoreUnavailableError(error);
  }
}

/** Longer than anything may take to come. */
const LEFT_AFTER_MS = 3_600_000;

/** A folder of temporary files. Each is written to the disk when it is whole. */
export class MediaSpool {
  constructor(private readonly folder: string) {}

  /** @throws FileTooLargeError, StoreUnavailableError, and whatever the stream throws */
  async write(bytes: AsyncIterable<Uint8Array>, sizeMax: number): Promise<SpooledFile> {
    await onDisk(() => mkdir(this.folder, { recursive: true, mode: 0o700 }));
    const path = join(this.folder, randomUUID());
    // What a disk does not delete now is deleted with what killed processes left.
    const discard = (): Promise<void> => rm(path, { force: true }).catch(() => undefined);
    try {
      await using file = await onDisk(() => open(path, 'wx', 0o600));
      return { path, ...(await fill(file, bytes, sizeMax)), discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  /** Deletes what killed processes left. */
  async removeLeftovers(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtimeMs < Date.now() - LEFT_AFTER_MS) await rm(path, { force: true });
    }
  }
}

async function fill(
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  sizeMax: number,
): Promise<Pick<SpooledFile, 'size' | 'sha256'>> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > sizeMax) throw new FileTooLargeError(sizeMax);
    hash.update(chunk);
    await onDisk(() => file.writeFile(chunk));
  }
  await onDisk(() => file.sync());
  return { size, sha256: hash.digest('hex') };
}
