import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Channel } from '@app/contracts/message.words';
import { PDF } from '../../support/media.samples';
import {
  openMediaScene,
  setMediaScene,
  type MediaScene,
  type ShownMedia,
} from '../../support/scenes/media.scene';
import { S3Store } from '../../support/stand-ins/s3.store';

const PUBLIC_URL = 'https://leadline.example';
const UNAVAILABLE = { ok: false, error: { code: 'UNAVAILABLE', status: 503 } };

/** Nothing was stored or sent, and no takeover began. */
async function nothingSent(scene: MediaScene, channel: Channel, media: ShownMedia, expected: object) {
  const threadId = await scene.account.addThread({ channel, waitingMinutes: 1 });
  const [given, sent] = [scene.files.taken.length, scene.files.sends.length];
  const { body, headers } = await scene.apiAt(0, scene.manyCallsKey).sendFile(threadId, media.id, 'Цены');
  expect(body).toMatchObject(expected);
  expect([scene.files.taken.length, scene.files.sends.length]).toEqual([given, sent]);
  const { rows } = await scene.database.pool.query('SELECT 1 FROM messages WHERE media_id = $1', [media.id]);
  expect(rows).toEqual([]);
  expect((await scene.api.getLead(threadId)).body.data.message_handler).toBe('AI');
  return headers;
}

describe('a disk that takes or gives no files', () => {
  const scene = setMediaScene({ environment: { PUBLIC_URL } });
  beforeAll(() => scene.account.connect('waba'));

  /** As root, a folder that is a file is the fault that can be had anywhere. */
  async function withFileAt(path: string, act: () => Promise<void>): Promise<void> {
    await rm(path, { recursive: true, force: true });
    await writeFile(path, '');
    try {
      await act();
    } finally {
      await rm(path, { force: true });
    }
  }

  it.each([
    ['comes in', () => join(scene.folder, '.incoming')],
    ['is kept', () => join(scene.folder, scene.account.id)],
  ])('where a file %s makes uploads 503 until it does again', async (_, placeOf) => {
    await withFileAt(placeOf(), async () => {
      const refused = await scene.uploads().upload({ bytes: PDF });
      expect(refused.body).toMatchObject(UNAVAILABLE);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    });
    expect((await scene.uploads().upload({ bytes: PDF })).status).toBe(200);
  });

  it('makes reading and sending 503', async () => {
    const media = await scene.uploaded({ bytes: PDF });
    await withFileAt(join(scene.folder, scene.account.id), async () => {
      const read = await scene.read(media.url);
      expect([read.status, await read.json()]).toMatchObject([503, UNAVAILABLE]);
      for (const channel of ['waba_coexistence', 'waba'] as const) {
        const headers = await nothingSent(scene, channel, media, UNAVAILABLE);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
      }
    });
  });

  it.each<Channel>(['waba_coexistence', 'waba'])(
    'that has lost a file makes sending it by %s 410',
    async (channel) => {
      const media = await scene.uploaded({ bytes: Buffer.concat([PDF, Buffer.from(channel)]) });
      const [path = ''] = (await scene.keptFiles()).filter((kept) => kept.endsWith(media.sha256 ?? '-'));
      await rm(path);
      await nothingSent(scene, channel, media, { ok: false, error: { code: 'MEDIA_GONE', status: 410 } });
    },
  );
});

it('a bucket that is away makes sending 503', async () => {
  const bucket = await S3Store.start();
  const scene = await openMediaScene({ environment: { PUBLIC_URL, ...bucket.environment } });
  try {
    await scene.account.connect('waba');
    const media = await scene.uploaded({ bytes: PDF });
    await bucket.stop();
    for (const channel of ['waba_coexistence', 'waba'] as const)
      await nothingSent(scene, channel, media, UNAVAILABLE);
  } finally {
    await scene.close();
  }
});
