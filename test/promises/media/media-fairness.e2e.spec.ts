import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { image, padded, PDF } from '../../support/media.samples';
import { openMediaScene, type MediaScene, type ShownMedia } from '../../support/scenes/media.scene';
import { S3Store } from '../../support/stand-ins/s3.store';

const MIB = 1024 * 1024;
/** Of the requests to the store. */
const SHARE = 16;
/** Less than readers and sends of the greedy account hang, and far more than the work of another one takes. */
const SERVED_WITHIN_MS = 40_000;
/** How long work may wait for its turn, and some time to notice it. */
const REFUSED_WITHIN_MS = 50_000;

let bucket: S3Store;
let scene: MediaScene;
/** An account that asks for far more than its share, with a key that may make as many calls. */
let greedy: AccountFixture;
let greedyKey: string;
const open: Socket[] = [];

beforeAll(async () => {
  bucket = await S3Store.start();
  scene = await openMediaScene({ environment: bucket.environment });
});

beforeEach(async () => {
  greedy = await AccountFixture.create(scene.database.pool);
  greedyKey = await greedy.addKey({ limitLeads: 100_000, limitGeneral: 100_000 });
});

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

afterAll(async () => {
  await scene?.close();
  await bucket?.stop();
});

/** @throws where it takes longer */
const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`not answered in ${milliseconds} ms`)), milliseconds).unref(),
    ),
  ]);

/** Asks for a file by a connection that takes no more than the beginning of the answer by itself. */
const readSlowly = ({ url }: ShownMedia, onBegun: () => void): void => {
  const { hostname, port } = new URL(scene.server.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.once('readable', onBegun);
  socket.write(`GET ${url} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${greedyKey}\r\n\r\n`);
  open.push(socket);
};

const bytesOf = async ({ url }: ShownMedia, key: string): Promise<Buffer> =>
  Buffer.from(await (await scene.read(url, {}, key)).arrayBuffer());

it('an account whose provider never takes its files delays no file of another one, and is refused what does not get its turn', async () => {
  scene.files.hangsFor.add(await greedy.connect());
  const hanging = await scene.uploaded({ bytes: PDF }, greedyKey);
  const threads = await Promise.all(Array.from({ length: 40 }, () => greedy.addThread()));
  const answers = threads.map((thread) => scene.apiAt(0, greedyKey).sendFile(thread, hanging.id));
  for (const answer of answers) answer.catch(() => undefined);

  const { id } = await scene.uploaded({ bytes: PDF });
  const thread = await scene.account.addThread();
  const sent = await within(SERVED_WITHIN_MS, scene.apiAt(0, scene.manyCallsKey).sendFile(thread, id));
  expect(sent.body).toMatchObject({ ok: true, data: { status: 'sent' } });

  const refused = await within(REFUSED_WITHIN_MS, Promise.any(answers));
  expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const stored = await scene.database.pool.query('SELECT 1 FROM messages WHERE account_id = $1', [greedy.id]);
  expect(stored.rows).toEqual([]);
});

it('an account that opens 1,100 uploads and sends nothing leaves room for those of another one', async () => {
  const begun = Array.from({ length: 1_100 }, () =>
    scene.uploads(greedyKey).begin({
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': '5000000',
    }),
  );
  try {
    for (const { request } of begun) {
      request.on('error', () => undefined);
      request.flushHeaders();
    }
    // What has no place even to wait is refused.
    const refused = begun.map(async ({ answer }) => {
      if ((await answer).body.error.code !== 'UNAVAILABLE') throw new Error('it had a place');
    });
    await within(REFUSED_WITHIN_MS, Promise.any(refused));
    const { kind } = await within(SERVED_WITHIN_MS, scene.uploaded({ bytes: PDF }));
    expect(kind).toBe('document');
  } finally {
    for (const { request } of begun) request.destroy();
  }
});

it('an account whose readers take no more than a beginning delays neither reading nor uploading of another one, and is refused what does not get its turn', async () => {
  const large = await scene.uploaded({ bytes: padded(PDF, 16 * MIB) }, greedyKey);
  let begun = 0;
  for (let reader = 0; reader < 40; reader += 1) readSlowly(large, () => (begun += 1));
  await eventually(async () => begun >= SHARE, SERVED_WITHIN_MS, 'the readers have not begun');

  // It opens no file.
  const head = fetch(`${scene.server.url}${large.url}`, {
    method: 'HEAD',
    headers: { 'X-API-Key': greedyKey },
  });
  const { status, headers } = await within(SERVED_WITHIN_MS, head);
  expect([status, headers.get('content-length')]).toEqual([200, String(16 * MIB)]);

  const refused = scene.read(large.url, {}, greedyKey);
  const bytes = Buffer.concat([PDF, randomBytes(MIB)]);
  const media = await within(SERVED_WITHIN_MS, scene.uploaded({ bytes }));
  const read = await within(SERVED_WITHIN_MS, bytesOf(media, scene.manyCallsKey));
  expect(read.equals(bytes)).toBe(true);
  expect((await within(REFUSED_WITHIN_MS, refused)).status).toBe(503);
});

it('an account that wants many previews of large images delays none of another one', async () => {
  const small = await scene.uploaded({ bytes: await image('png'), name: 'a.png' });
  const images: ShownMedia[] = [];
  for (let made = 0; made < 4; made += 1)
    images.push(await scene.uploaded({ bytes: await image('png', 2_500, 2_500 + made) }, greedyKey));
  let answered = 0;
  const previews = Array.from({ length: 48 }, async (_, n) => {
    await scene.read(`${images[n % images.length]!.url}?preview=1`, {}, greedyKey);
    answered += 1;
  });
  const all = Promise.allSettled(previews);
  const own = scene.read(`${small.url}?preview=1`, {}, scene.manyCallsKey);
  expect((await within(SERVED_WITHIN_MS, own)).status).toBe(200);
  expect(answered).toBeLessThan(previews.length / 2);
  await all;
});
