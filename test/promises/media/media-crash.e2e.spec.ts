import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { FREQUENT_RETENTION, SHORT_TIMES } from '../../support/programs/test.limits';
import { faultReports } from '../../support/faults/fault.reports';
import { IS_LONG } from '../../support/long.mode';
import { PDF } from '../../support/media.samples';
import { openMediaScene, type MediaScene, type ShownMedia } from '../../support/scenes/media.scene';
import { S3Store } from '../../support/stand-ins/s3.store';

/** What a process may have done of a file when it is killed. */
const AROUND = ['amid-the-temporary-file', 'before-the-commit', 'after-the-commit'];
const BOUNDARIES: Readonly<Record<string, readonly string[]>> = {
  'on disk': [...AROUND, 'before-the-rename', 'after-the-rename'],
  'in a bucket': [...AROUND, 'amid-the-put', 'before-its-last-byte'],
};
/** What a temporary file may be old, and more. */
const LONG_AGO = new Date(Date.now() - 2 * 3_600_000);

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const bytesFor = (words = ''): Buffer => Buffer.concat([PDF, Buffer.from(words), randomBytes(300_000)]);

describe.each(['on disk', ...(IS_LONG ? ['in a bucket'] : [])])('files %s', (where) => {
  const boundaries = BOUNDARIES[where] ?? [];
  const short = { ...SHORT_TIMES, ...FREQUENT_RETENTION };
  let bucket: S3Store | null = null;
  let scene: MediaScene;
  /** What was acknowledged, or stored, before the kill. */
  const acknowledged = new Map<Buffer, ShownMedia>();
  /** Bytes by their boundary. */
  const uploads = new Map<string, Buffer>();
  const received = new Map<string, { bytes: Buffer; message: string }>();

  const bytesOf = async ({ url }: ShownMedia): Promise<Buffer> =>
    Buffer.from(await (await scene.read(url, {}, scene.manyCallsKey)).arrayBuffer());

  const mediaOf = async (message: string): Promise<ShownMedia> =>
    (await scene.apiAt(0, scene.manyCallsKey).getMessage(message)).body.data.media as ShownMedia;

  const temporaryFiles = async () => (await scene.keptFiles()).filter((path) => path.includes('.incoming'));

  const namedIn = async (table: string): Promise<string[]> => {
    const { rows } = await scene.database.pool.query<{ sha256: string }>(
      `SELECT DISTINCT sha256 FROM ${table} WHERE sha256 IS NOT NULL ORDER BY sha256`,
    );
    return rows.map(({ sha256 }) => sha256);
  };

  /** The SHA-256 that each kept file has by its name, and by its bytes. */
  async function kept(): Promise<[string, string][]> {
    const entries = await readdir(bucket?.folder ?? scene.folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const named = paths.flatMap((path) => {
      const [, sha256] = /\/([0-9a-f]{64})(?:\._S3rver_object)?$/.exec(path) ?? [];
      return sha256 === undefined ? [] : [{ path, sha256 }];
    });
    return Promise.all(
      named.map(async ({ path, sha256 }): Promise<[string, string]> => [
        sha256,
        sha256Of(await readFile(path)),
      ]),
    );
  }

  beforeAll(async () => {
    bucket = where === 'in a bucket' ? await S3Store.start() : null;
    scene = await openMediaScene({ servers: 0, environment: { ...bucket?.environment, ...short } });
    await scene.addServer(injected('file-boundary'));
    const [own, theirs] = [bytesFor(), bytesFor()];
    acknowledged.set(own, await scene.uploaded({ bytes: own }));
    acknowledged.set(theirs, await scene.stored({ bytes: theirs }));

    const come = boundaries.map((boundary) => {
      const bytes = bytesFor(`hold at ${boundary}/received`);
      return { boundary, bytes, ...scene.fileOf({ bytes }) };
    });
    await scene.tell(...come.map(({ change }) => change));
    for (const { boundary, bytes, message } of come)
      received.set(boundary, { bytes, message: await scene.messageOf(message) });
    for (const boundary of boundaries) {
      const bytes = bytesFor(`hold at ${boundary}/uploaded`);
      uploads.set(boundary, bytes);
      scene
        .uploads()
        .upload({ bytes })
        .catch(() => undefined);
    }
    const held = () => faultReports(scene.server).filter(({ word }) => word === 'held').length;
    await eventually(async () => held() === 2 * boundaries.length, 20_000, 'not all files are held');
    await scene.server.kill('SIGKILL');
    scene.servers.length = 0;
    await scene.addServer();
  });

  afterAll(async () => {
    await scene.close();
    await bucket?.stop();
  });

  it('that were on their way when the process was killed are never half, and come whole', async () => {
    for (const [boundary, { bytes, message }] of received) {
      const media = await mediaOf(message);
      if (boundary === 'after-the-commit') expect(media.state).toBe('stored');
      const answer = await scene.read(media.url, {}, scene.manyCallsKey);
      if (answer.status === 409) continue;
      expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
    }
    for (const { bytes, message } of received.values()) {
      const media = await scene.mediaIn('stored', message, 30_000);
      expect([media.sha256, (await bytesOf(media)).equals(bytes)]).toEqual([sha256Of(bytes), true]);
    }
  });

  it('that were acknowledged are there, and of the others those whose row was written', async () => {
    for (const [bytes, media] of acknowledged) expect((await bytesOf(media)).equals(bytes)).toBe(true);
    const named = await namedIn('media');
    const uploaded = [...uploads].filter(([, bytes]) => named.includes(sha256Of(bytes)));
    expect(uploaded.map(([boundary]) => boundary)).toEqual(['after-the-commit']);
  });

  it('leave nothing behind when their times are over', async () => {
    // A kill that left nothing would show nothing.
    expect((await temporaryFiles()).length).toBeGreaterThanOrEqual(where === 'on disk' ? 4 : 8);
    expect((await kept()).length).toBeGreaterThan((await namedIn('media')).length);
    for (const path of await temporaryFiles()) await utimes(path, LONG_AGO, LONG_AGO);
    await scene.database.pool.query(
      `UPDATE media_files SET claim_until = clock_timestamp() - interval '1 second'`,
    );
    const isClean = async (): Promise<boolean> => {
      // Folders are deleted while they are read.
      const left = await kept().catch(() => null);
      return (await temporaryFiles()).length === 0 && left?.length === (await namedIn('media')).length;
    };
    await eventually(isClean, 30_000, 'something is left');
    const named = await namedIn('media');
    expect((await kept()).sort()).toEqual(named.map((sha256) => [sha256, sha256]));
    await eventually(
      async () => (await namedIn('media_files')).length === named.length,
      5_000,
      'a claim is left',
    );
    const { rows } = await scene.database.pool.query(
      `SELECT u.bytes = (SELECT sum(size) FROM media_files f WHERE f.account_id = u.account_id) AS counted
         FROM media_usage u`,
    );
    expect(rows).toEqual([{ counted: true }]);
  });

  it('that were not acknowledged are whole when they are uploaded again', async () => {
    for (const bytes of uploads.values()) {
      const media = await scene.uploaded({ bytes });
      expect((await bytesOf(media)).equals(bytes)).toBe(true);
    }
    expect((await kept()).every(([name, bytes]) => name === bytes)).toBe(true);
  });

  it('come in and go out in parts', async () => {
    const [bytes, media] = [...acknowledged][0] ?? [];
    const part = await scene.read(media?.url ?? '', { range: 'bytes=5-9' }, scene.manyCallsKey);
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes?.subarray(5, 10)]);
  });
});
