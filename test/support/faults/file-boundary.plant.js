const disk = require('node:fs');
const files = require('node:fs/promises');
const { Readable } = require('node:stream');
const { MediaSpool } = require('../../../dist/libs/integrations/src/media/media.spool');
const { MediaFiles } = require('../../../dist/libs/domain/src/media/media-files.service');
const { MediaRepository } = require('../../../dist/libs/persistence/src/media/media.repository');
const {
  FetchedMediaRepository,
} = require('../../../dist/libs/persistence/src/messages/fetched-media.repository');
const { expectMembers, expectStatement } = require('./plant.guard');

expectMembers(MediaSpool.prototype, 'function', 'write');
expectMembers(MediaFiles.prototype, 'function', 'keep');
expectMembers(MediaRepository.prototype, 'function', 'add');
expectMembers(FetchedMediaRepository.prototype, 'function', 'stored');
expectStatement('libs/integrations/src/media/disk-media.store.js', '_promises.rename)(file.path,');
expectStatement('libs/integrations/src/media/s3-media.store.js', '_nodefs.createReadStream)(upload.path)');

/**
 * Loaded into a server before all else: a file that says so in its first bytes (`hold at <boundary>/<which>`) is held at
 * a boundary of its way into the store, for good. What is held is reported on the standard error output.
 */
const WORDS = /hold at ([a-z-]+)\/(\w+)/;
/** By temporary file, and by the SHA-256 of the bytes. */
const byPath = new Map();
const bySha256 = new Map();

function hold(point, boundary) {
  if (point?.boundary !== boundary) return Promise.resolve();
  const now = Number(process.hrtime.bigint()) / 1e6;
  process.stderr.write(`planted held ${boundary}/${point.which} ${now} 1\n`);
  return new Promise(() => undefined);
}

const { write } = MediaSpool.prototype;
MediaSpool.prototype.write = async function (bytes, sizeMax) {
  let point;
  const watched = async function* () {
    for await (const chunk of bytes) {
      const [, boundary, which] = WORDS.exec(Buffer.from(chunk).toString('latin1', 0, 1_000)) ?? [];
      if (boundary !== undefined) point ??= { boundary, which };
      yield chunk;
      await hold(point, 'amid-the-temporary-file');
    }
  };
  const spooled = await write.call(this, watched(), sizeMax);
  byPath.set(spooled.path, point);
  bySha256.set(spooled.sha256, point);
  return spooled;
};

const { rename } = files;
files.rename = async (from, to) => {
  await hold(byPath.get(from), 'before-the-rename');
  await rename(from, to);
  await hold(byPath.get(from), 'after-the-rename');
};

/** What a bucket is sent, but for what comes after the boundary. */
const { createReadStream } = disk;
disk.createReadStream = (path, ...rest) => {
  const point = byPath.get(path);
  if (!['amid-the-put', 'before-its-last-byte'].includes(point?.boundary))
    return createReadStream(path, ...rest);
  const bytes = disk.readFileSync(path);
  const sent = point.boundary === 'amid-the-put' ? bytes.length >> 1 : bytes.length - 1;
  return Readable.from(
    (async function* () {
      yield bytes.subarray(0, sent);
      await hold(point, point.boundary);
    })(),
  );
};

const { keep } = MediaFiles.prototype;
MediaFiles.prototype.keep = async function (accountId, file) {
  await keep.call(this, accountId, file);
  await hold(bySha256.get(file.sha256), 'before-the-commit');
};

const holdAfter = (repository, name) => {
  const act = repository[name];
  repository[name] = async function (...given) {
    const result = await act.apply(this, given);
    await hold(bySha256.get(given.at(-1).sha256), 'after-the-commit');
    return result;
  };
};
holdAfter(MediaRepository.prototype, 'add');
holdAfter(FetchedMediaRepository.prototype, 'stored');
