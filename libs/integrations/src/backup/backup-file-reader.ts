import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { StartError } from '@app/contracts/coded.errors';
import type { BackupPart, BackupReader } from '@app/domain/backup/backup-file.port';
import { extract, type Extract } from 'tar-stream';
import { SEAL_BYTES, sealOf } from './backup-seal';

/** A backup's file that is whole: each of its bytes is as it was written. */
export class BackupFileReader implements BackupReader {
  private constructor(
    private readonly path: string,
    /** Without the seal. */
    private readonly bytes: number,
  ) {}

  /**
   * Reads the whole file.
   * @param progress is told how many bytes were read of how many
   * @throws StartError where it is not there, not whole, or changed
   */
  static async open(path: string, progress: (bytes: number, of: number) => void): Promise<BackupFileReader> {
    const size = await stat(path).then(
      (found) => found.size,
      (error: NodeJS.ErrnoException) => {
        throw new StartError(`${path} cannot be read (${error.code ?? ''}).`);
      },
    );
    const bytes = size - SEAL_BYTES;
    if (bytes <= 0) throw changed(path);
    const hash = createHash('sha256');
    let read = 0;
    for await (const piece of createReadStream(path, { end: bytes - 1 }) as AsyncIterable<Buffer>) {
      hash.update(piece);
      progress((read += piece.length), bytes);
    }
    await using file = await open(path);
    const seal = await file.read(Buffer.alloc(SEAL_BYTES), 0, SEAL_BYTES, bytes);
    if (!seal.buffer.equals(sealOf(hash.digest('hex')))) throw changed(path);
    return new BackupFileReader(path, bytes);
  }

  async *parts(): AsyncGenerator<BackupPart> {
    const archive: Extract = extract();
    const source = createReadStream(this.path, { end: this.bytes - 1 });
    // An error ends the archive with it, and so the loop below.
    pipeline(source, createGunzip(), archive, () => undefined);
    try {
      for await (const entry of archive) {
        yield { name: entry.header.name, bytes: entry as AsyncIterable<Buffer> };
        // What nobody has read.
        entry.resume();
      }
    } finally {
      source.destroy();
    }
  }
}

const changed = (path: string): StartError =>
  new StartError(`${path} is no whole backup of Leadline: it is cut off, or bytes of it have changed.`);
