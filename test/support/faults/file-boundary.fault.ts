import disk, { type PathLike } from 'node:fs';
import files from 'node:fs/promises';
import { Readable } from 'node:stream';
import { MediaFiles } from '@app/domain/media/media-files.service';
import { MediaSpool } from '@app/integrations/media/media-spool';
import { MediaRepository } from '@app/persistence/media/media.repository';
import { FetchedMediaRepository } from '@app/persistence/messages/dialog/fetched-media.repository';
import { override, report } from './fault.injection';

const WORDS = /hold at ([a-z-]+)\/(\w+)/;

interface Point {
  boundary: string;
  which: string;
}

function hold(point: Point | undefined, boundary: string): Promise<void> {
  if (point?.boundary !== boundary) return Promise.resolve();
  report('held', `${boundary}/${point.which}`);
  return new Promise(() => undefined);
}

/**
 * A file that says so in its first bytes (`hold at <boundary>/<which>`) is held at a boundary of its way into the store, for
 * good. What is held is reported.
 */
export function inject(): void {
  /** By temporary file, and by the SHA-256 of the bytes. */
  const byPath = new Map<PathLike, Point | undefined>();
  const bySha256 = new Map<string, Point | undefined>();

  override(
    MediaSpool.prototype,
    'write',
    (own) =>
      async function (this: MediaSpool, bytes, sizeMax) {
        let point: Point | undefined;
        const watched = async function* (): AsyncGenerator<Uint8Array> {
          for await (const chunk of bytes) {
            const [, boundary, which = ''] =
              WORDS.exec(Buffer.from(chunk).toString('latin1', 0, 1_000)) ?? [];
            if (boundary !== undefined) point ??= { boundary, which };
            yield chunk;
            await hold(point, 'amid-the-temporary-file');
          }
        };
        const spooled = await own.call(this, watched(), sizeMax);
        byPath.set(spooled.path, point);
        bySha256.set(spooled.sha256, point);
        return spooled;
      },
  );

  override(files, 'rename', (own) => async (from, to) => {
    await hold(byPath.get(from), 'before-the-rename');
    await own(from, to);
    await hold(byPath.get(from), 'after-the-rename');
  });

  // What a bucket is sent, but for what comes after the boundary.
  override(disk, 'createReadStream', (own) => (path, options) => {
    const point = byPath.get(path);
    if (!point || !['amid-the-put', 'before-its-last-byte'].includes(point.boundary))
      return own(path, options);
    const bytes = disk.readFileSync(path);
    const sent = point.boundary === 'amid-the-put' ? bytes.length >> 1 : bytes.length - 1;
    const begun = async function* (): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, sent);
      await hold(point, point.boundary);
    };
    return Readable.from(begun()) as disk.ReadStream;
  });

  override(
    MediaFiles.prototype,
    'keep',
    (own) =>
      async function (this: MediaFiles, accountId, file) {
        await own.call(this, accountId, file);
        await hold(bySha256.get(file.sha256), 'before-the-commit');
      },
  );
  override(
    MediaRepository.prototype,
    'add',
    (own) =>
      async function (this: MediaRepository, ...given) {
        const result = await own.apply(this, given);
        await hold(bySha256.get(given[3].sha256), 'after-the-commit');
        return result;
      },
  );
  override(
    FetchedMediaRepository.prototype,
    'stored',
    (own) =>
      async function (this: FetchedMediaRepository, ...given) {
        const result = await own.apply(this, given);
        await hold(bySha256.get(given[1].sha256), 'after-the-commit');
        return result;
      },
  );
}
