import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formOf, partOf } from '../../support/clients/upload.client';
import { eventually } from '../../support/eventually';
import { PDF } from '../../support/media.samples';
import { residentMb } from '../../support/programs/process.memory';
import { MediaScene, type ShownMedia } from '../../support/scenes/media.scene';
import { S3Store } from '../../support/stand-ins/s3.store';

const MIB = 1024 * 1024;

describe.each(['on disk', 'in a bucket'])('files %s', (where) => {
  let bucket: S3Store | null = null;
  let scene: MediaScene;

  beforeAll(async () => {
    bucket = where === 'in a bucket' ? await S3Store.start() : null;
    scene = new MediaScene({ environment: bucket?.environment });
    await scene.start();
  });

  afterAll(async () => {
    await scene.close();
    await bucket?.stop();
  });

  const filesIn = async (folder: string): Promise<string[]> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };

  /** What is kept under the name of its bytes is whole. @returns how many files */
  const checkKept = async (): Promise<number> => {
    const named = (await filesIn(bucket?.folder ?? scene.folder)).flatMap((path) => {
      const [, sha256] = /\/([0-9a-f]{64})(?:\._S3rver_object)?$/.exec(path) ?? [];
      return sha256 === undefined ? [] : [{ path, sha256 }];
    });
    for (const { path, sha256 } of named)
      expect(
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      ).toBe(sha256);
    return named.length;
  };

  const kill = async (): Promise<void> => {
    await scene.server.kill('SIGKILL');
    scene.servers.length = 0;
    await scene.addServer();
  };

  const bytesOf = async ({ url }: ShownMedia): Promise<Buffer> =>
    Buffer.from(await (await scene.read(url, {}, scene.manyCallsKey)).arrayBuffer());

  it('come in and go out, in parts and as previews', async () => {
    const bytes = Buffer.concat([PDF, randomBytes(100_000)]);
    const received = await scene.stored({ bytes });
    const uploaded = await scene.uploaded({ bytes: Buffer.concat([PDF, randomBytes(MIB)]) });
    expect(await bytesOf(received)).toEqual(bytes);
    expect((await bytesOf(uploaded)).length).toBe(PDF.length + MIB);
    const part = await scene.read(received.url, { range: 'bytes=5-9' });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(5, 10)]);
    expect(await checkKept()).toBe(2);
  });

  it('that were on their way when the process was killed are fetched again, and none is half', async () => {
    const bytes = randomBytes(2 * MIB);
    let asked = 0;
    const message = await scene.sendFile({
      bytes,
      behave: (response) => {
        asked += 1;
        response.writeHead(200, { 'content-length': String(bytes.length) });
        if (asked === 1) response.write(bytes.subarray(0, MIB));
        else response.end(bytes);
      },
    });
    await eventually(() => Promise.resolve(asked === 1), 15_000, 'the file was not asked for');
    const before = await checkKept();
    await kill();
    expect((await scene.mediaIn('loading', message)).state).toBe('loading');
    const media = await scene.mediaIn('stored', message, 90_000);
    expect((await bytesOf(media)).equals(bytes)).toBe(true);
    expect(await checkKept()).toBe(before + 1);
  }, 120_000);

  it('that were being uploaded when the process was killed are not there, and the next upload is', async () => {
    const bytes = Buffer.concat([PDF, randomBytes(2 * MIB)]);
    const form = formOf(partOf({ bytes }));
    const { rows: before } = await scene.database.pool.query('SELECT count(*) FROM media');
    const upload = scene
      .uploads()
      .begin({ 'content-type': form.type, 'content-length': String(form.body.length) });
    upload.request.on('error', () => undefined);
    upload.request.write(form.body.subarray(0, MIB));
    const onItsWay = async () => (await scene.keptFiles()).some((path) => path.includes('.incoming'));
    await eventually(onItsWay, 5_000, 'nothing was spooled');
    await kill();
    expect((await scene.database.pool.query('SELECT count(*) FROM media')).rows).toEqual(before);
    await checkKept();
    expect((await bytesOf(await scene.uploaded({ bytes }))).equals(bytes)).toBe(true);
    await checkKept();
  });

  it('1,000 at once, of 500 MB together, cost less than twice the memory of 100', async () => {
    const uploadAll = async (count: number): Promise<number> => {
      const form = formOf(partOf({ bytes: Buffer.concat([PDF, randomBytes(500_000)]) }));
      let most = 0;
      const watch = setInterval(() => (most = Math.max(most, residentMb(scene.server.pid))), 20);
      try {
        const answers = await Promise.all(Array.from({ length: count }, () => scene.uploads().post(form)));
        expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
      } finally {
        clearInterval(watch);
      }
      return most;
    };
    await uploadAll(100);
    const hundred = await uploadAll(100);
    const thousand = await uploadAll(1_000);
    // Files that were held would make it four times as much.
    expect(thousand / hundred).toBeLessThan(2);
  }, 120_000);
});
