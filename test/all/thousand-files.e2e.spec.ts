import { createHash, randomBytes } from 'node:crypto';
import { eventually } from '../support/eventually';
import { PDF } from '../support/media.samples';
import { residentMb } from '../support/programs/process.memory';
import { cloudBody } from '../support/stand-ins/cloud.webhooks';
import { openMediaScene, type MediaScene, type ShownMedia } from '../support/scenes/media.scene';
import { S3Store } from '../support/stand-ins/s3.store';

const COUNT = 1_000;
const FILE_BYTES = 500_000;
/** What 500 MB of files may add to a process at rest. */
const MEMORY_GROWS_MB = 350;

/** The same bytes but for the first: each file is another one, and the test itself keeps one. */
const COMMON = randomBytes(FILE_BYTES);
const bytesOf = (which: string, n: number): Buffer =>
  Buffer.concat([PDF, Buffer.from(`${which} ${n}\n`), COMMON]);
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const shas: Record<string, string[]> = {};

/** How many files of this kind are among these. */
const countOf = (which: string, found: readonly string[]): number => {
  const all = (shas[which] ??= Array.from({ length: COUNT }, (_, n) => sha256Of(bytesOf(which, n))));
  const given = new Set(found);
  return all.filter((sha256) => given.has(sha256)).length;
};

describe.each(['on disk', 'in a bucket'])(`${COUNT} files at once %s`, (where) => {
  let bucket: S3Store | null = null;
  let scene: MediaScene;
  let rest: number;

  beforeAll(async () => {
    bucket = where === 'in a bucket' ? await S3Store.start() : null;
    scene = await openMediaScene({ environment: bucket?.environment });
    // What a process loads and keeps at its first file is not what files cost.
    const first = await scene.uploaded({ bytes: bytesOf('first', 0) });
    await scene.stored({ bytes: bytesOf('second', 0) });
    await (await scene.read(first.url, {}, scene.manyCallsKey)).arrayBuffer();
    rest = residentMb(scene.server.pid);
  });

  afterAll(async () => {
    await scene.close();
    await bucket?.stop();
  });

  /** @returns what the process held at most above rest while this was done, in MB */
  async function growthWhile(act: () => Promise<void>): Promise<number> {
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, residentMb(scene.server.pid))), 20);
    try {
      await act();
    } finally {
      clearInterval(watch);
    }
    return most - rest;
  }

  /** As clients do, asks again for what did not get its turn on a slow machine. */
  async function readOf(media: ShownMedia): Promise<Buffer> {
    for (;;) {
      const answer = await scene.read(media.url, {}, scene.manyCallsKey);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status === 200) return bytes;
      expect(bytes.toString()).toContain('are waiting for one another');
    }
  }

  /** The same. */
  async function uploadOf(bytes: Buffer): Promise<ShownMedia> {
    for (;;) {
      const { status, body, text } = await scene.uploads().upload({ bytes });
      if (body.ok) return body.data.media as ShownMedia;
      if (status !== 503) throw new Error(text);
    }
  }

  let uploaded: ShownMedia[];

  it('that are uploaded are as many distinct files, with bounded memory', async () => {
    const growth = await growthWhile(async () => {
      uploaded = await Promise.all(Array.from({ length: COUNT }, (_, n) => uploadOf(bytesOf('uploaded', n))));
    });
    const found = uploaded.map(({ sha256 }) => sha256 ?? '');
    expect(countOf('uploaded', found)).toBe(COUNT);
    expect(growth).toBeLessThan(MEMORY_GROWS_MB);
  });

  // What stands for a bucket here is slower than the requests to it may wait for their turn.
  if (where === 'in a bucket') return;

  it('that are read are as many distinct files, with bounded memory', async () => {
    const read: string[] = [];
    const growth = await growthWhile(async () => {
      await Promise.all(
        uploaded.map(async (media) => {
          read.push(sha256Of(await readOf(media)));
        }),
      );
    });
    expect(countOf('uploaded', read)).toBe(COUNT);
    expect(growth).toBeLessThan(MEMORY_GROWS_MB);
  });

  it('that customers send are as many distinct files, with bounded memory', async () => {
    const sent = Array.from({ length: COUNT }, (_, n) =>
      scene.fileOf({ bytes: bytesOf('received', n), phone: String(77_015_560_000 + n) }),
    );
    const changes = sent.map(({ change }) => change);
    const storedShas = async (): Promise<string[]> => {
      const { rows } = await scene.database.pool.query<{ sha256: string }>(
        `SELECT sha256 FROM media WHERE state = 'stored'`,
      );
      return rows.map(({ sha256 }) => sha256);
    };
    const growth = await growthWhile(async () => {
      for (let told = 0; told < COUNT; told += 100)
        await scene.post(cloudBody(changes.slice(told, told + 100)));
      const all = async (): Promise<boolean> => countOf('received', await storedShas()) === COUNT;
      await eventually(all, 90_000, 'not all files came');
    });
    expect(growth).toBeLessThan(MEMORY_GROWS_MB);
  });
});
