import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { MediaSettings } from '@app/config/settings-config';
import {
  MediaStore,
  StoreUnavailableError,
  type ByteRange,
  type MediaKey,
  type SpooledFile,
} from '@app/domain/media/media-store.port';
import { onDisk, pathOf, MediaSpool } from './media-spool';
import { S3MediaStore } from './s3-media.store';

/** Temporary files are on the file system of the others, so that a rename suffices. */
const SPOOL = '.incoming';

/** Keeps files in a folder of this machine. A file appears under its name by one rename, when its bytes are on the disk. */
export class DiskMediaStore extends MediaStore {
  private readonly files: MediaSpool;

  constructor(private readonly folder: string) {
    super();
    this.files = new MediaSpool(join(folder, SPOOL));
  }

  spool(bytes: AsyncIterable<Uint8Array>, sizeMax: number): Promise<SpooledFile> {
    return this.files.write(bytes, sizeMax);
  }

  async put(key: MediaKey, file: SpooledFile): Promise<void> {
    const path = join(this.folder, pathOf(key));
    const folder = dirname(path);
    await onDisk(async () => {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(file.path, path);
      await syncFolder(folder);
      // A new folder is lost with the power as long as the folder that has it is not on the disk.
      if (made === undefined) return;
      await syncFolder(dirname(folder));
      await syncFolder(this.folder);
    });
  }

  async open(key: MediaKey, range?: ByteRange): Promise<Readable | null> {
    const path = join(this.folder, pathOf(key));
    const file = await onDisk(() => open(path).catch(nullIfMissing));
    return file && file.createReadStream({ ...range, autoClose: true });
  }

  async remove(key: MediaKey, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw new StoreUnavailableError(signal.reason);
    const path = join(this.folder, pathOf(key));
    await onDisk(() => rm(path, { force: true }));
  }

  removeLeftovers(): Promise<void> {
    return this.files.removeLeftovers();
  }
}

function nullIfMissing(error: unknown): null {
  if ((error as { code?: unknown }).code === 'ENOENT') return null;
  throw error;
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

export const mediaStoreOf = ({ folder, s3 }: MediaSettings): MediaStore =>
  s3 ? new S3MediaStore(s3, folder) : new DiskMediaStore(folder);
