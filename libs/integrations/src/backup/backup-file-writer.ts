import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { StartError } from '@app/contracts/coded.errors';
import type { BackupWriter } from '@app/domain/backup/backup-file.port';
import { pack } from 'tar-stream';
import { sealOf } from './backup-seal';

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
    this.written = pipeline(this.archive, createGzip(), sealed, output);
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
