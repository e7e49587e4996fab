import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream, createReadStream } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, pipeline } from 'node:stream';
import { pipeline as runPipeline } from 'node:stream/promises';
import { crc32, createGzip, createGunzip } from 'node:zlib';
import { StartError } from '@app/contracts/coded.errors';
import type { BackupWriter, BackupPart, BackupReader } from '@app/domain/backup/backup-file.port';
import { pack, extract, type Extract } from 'tar-stream';

/**
 * Ends a backup's file: a gzip member of its own that says the SHA-256 of all bytes before it. Programs that read gzip and
 * tar pass over it. It always has the same length, so it is found from the end of the file.
 */
function sealOf(sha256: string): Buffer {
  const text = Buffer.from(`sha256 ${sha256}\n`);
  // Not compressed, so that the same hash has the same bytes by any zlib: RFC 1951 (3.2.4) and RFC 1952.
  const stored = Buffer.alloc(5);
  stored.writeUInt8(1, 0);
  stored.writeUInt16LE(text.length, 1);
  stored.writeUInt16LE(~text.length & 0xffff, 3);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(text), 0);
  end.writeUInt32LE(text.length, 4);
  return Buffer.concat([Buffer.from('1f8b08000000000000ff', 'hex'), stored, text, end]);
}

const SEAL_BYTES = sealOf('0'.repeat(64)).length;

/** Read by its owner alone: it holds what customers wrote. */
const MODE = 0o600;

/** File systems that know no links, such as some network shares, say one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * A compressed tar archive with a seal behind it. It is written under a temporary name beside its own, and gets its own when
 * its bytes are on the disk. It replaces no other file.
 */
export class BackupFileWriter implements BackupWriter {
  private readonly archive = pack();
  private readonly written: Promise<void>;
  private failure: Error | null = null;
  private isFinished = false;
  /** Ends the addition under way when the file cannot be written. */
  private endAddition: (error: Error) => void = () => undefined;

  private constructor(
    private readonly path: string,
    private readonly temporary: string,
    output: WriteStream,
  ) {
    this.written = runPipeline(this.archive, createGzip(), sealed, output);
    this.written.catch((error: Error) => {
      this.failure = error;
      this.endAddition(error);
    });
  }

  /** @throws StartError where there is a file of that name, or it cannot be written */
  static async create(path: string): Promise<BackupFileWriter> {
    if (await stat(path).catch(() => null))
      throw new StartError(`${path} is there already: name another file.`);
    const temporary = `${path}.${randomUUID()}.part`;
    const output = createWriteStream(temporary, { flags: 'wx', mode: MODE });
    try {
      await once(output, 'open');
    } catch (error) {
      throw new StartError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? ''}).`);
    }
    return new BackupFileWriter(path, temporary, output);
  }

  add(name: string, bytes: Buffer): Promise<void> {
    return this.addStream(name, bytes.length, [bytes]);
  }

  addStream(name: string, size: number, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.endAddition = reject;
      const entry = this.archive.entry({ name, size, mode: MODE }, (error) => {
        if (error) reject(error);
        else resolve();
      });
      Readable.from(bytes).once('error', reject).pipe(entry);
    });
  }

  async finish(): Promise<number> {
    this.archive.finalize();
    await this.written;
    await flush(this.temporary);
    await this.publish();
    await rm(this.temporary, { force: true });
    await flush(dirname(this.path));
    this.isFinished = true;
    return (await stat(this.path)).size;
  }

  async abandon(): Promise<void> {
    if (this.isFinished) return;
    this.archive.destroy();
    await this.written.catch(() => undefined);
    await rm(this.temporary, { force: true });
  }

  private async publish(): Promise<void> {
    try {
      await link(this.temporary, this.path);
    } catch (error) {
      if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await rename(this.temporary, this.path);
    }
  }
}

async function* sealed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
  }
  yield sealOf(hash.digest('hex'));
}

async function flush(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}

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
