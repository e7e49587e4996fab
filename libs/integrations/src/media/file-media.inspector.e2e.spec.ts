import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaKind } from '@app/contracts/media.words';
import { NoPreviewError, PREVIEWED_PIXELS_MAX } from '@app/domain/media/media-inspector.port';
import sharp from 'sharp';
import { image, recorded } from '../../../../test/support/media.samples';
import { FileMediaInspector } from './file-media.inspector';

const inspector = new FileMediaInspector();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leadline-inspector-'));
});

afterAll(async () => {
  // What the product blocks is blocked for all of the process, so for the next file of tests too.
  sharp.unblock({ operation: ['VipsForeignLoad'] });
  await rm(folder, { recursive: true, force: true });
});

async function fileOf(bytes: Buffer, name = 'file'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const inspected = async (bytes: Buffer, kind: MediaKind, mimeType: string | null = null) =>
  inspector.inspect(await fileOf(bytes), { kind, mimeType });

/** Opened by its path: the product has blocked everything else. */
const pictureOf = async (bytes: Buffer) =>
  sharp(await fileOf(await inspector.picture(await fileOf(bytes)), 'picture'));

it.each([
  ['order.ogg', 'voice', 'audio/ogg; codecs=opus', { kind: 'voice', mimeType: 'audio/ogg', isOpus: true }],
  ['order.m4a', 'audio', 'audio/mp4', { kind: 'audio', mimeType: 'audio/mp4', isOpus: false }],
  ['order.amr', 'audio', 'audio/amr', { kind: 'audio', mimeType: 'audio/amr', isOpus: false }],
  ['order.amr', 'voice', null, { kind: 'voice', mimeType: 'audio/amr', isOpus: false }],
] as const)(
  'speech in %s, sent as %s of type %s, is known and lasts 4 s',
  async (name, kind, type, facts) => {
    expect(await inspected(recorded(name), kind, type)).toMatchObject({ ...facts, seconds: 4 });
  },
);

it('HEIC is a document, of which there is no picture', async () => {
  const photo = recorded('photo.heic');
  expect(await inspected(photo, 'image', 'image/heic')).toMatchObject({
    ...{ kind: 'document', mimeType: 'application/octet-stream', width: null },
  });
  await expect(pictureOf(photo)).rejects.toThrow(NoPreviewError);
});

it('of a WebP that moves the first frame is shown', async () => {
  const sticker = recorded('sticker.webp');
  expect(await inspected(sticker, 'sticker', 'image/webp')).toMatchObject({
    ...{ kind: 'sticker', mimeType: 'image/webp', width: 512, height: 512, isAnimated: true },
  });
  const shown = await pictureOf(sticker);
  expect(await shown.metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
  const first = await sharp(await fileOf(sticker), { page: 0 })
    .flatten({ background: '#fff' })
    .stats();
  const { channels } = await shown.stats();
  channels.forEach(({ mean }, index) => expect(mean).toBeCloseTo(first.channels[index]?.mean ?? 0, -1));
});

it.each([
  ['0.1', 360, 280, 360, 280],
  ['12', 4_032, 3_024, 1_024, 768],
  ['48', 8_064, 6_048, 1_024, 768],
])(
  'a photo of %s megapixels is shown within 1,024 pixels',
  async (_, width, height, shownWidth, shownHeight) => {
    const photo = await image('jpeg', width, height);
    expect(await inspected(photo, 'image')).toMatchObject({ kind: 'image', width, height });
    const shown = await (await pictureOf(photo)).metadata();
    expect(shown).toMatchObject({ format: 'jpeg', width: shownWidth, height: shownHeight });
  },
);

it('a photo of more than 50 megapixels is known, and there is no picture of it', async () => {
  const [width, height] = [10_000, PREVIEWED_PIXELS_MAX / 10_000 + 1];
  const photo = await image('jpeg', width, height);
  expect(await inspected(photo, 'image')).toMatchObject({ kind: 'image', width, height });
  await expect(pictureOf(photo)).rejects.toThrow(NoPreviewError);
});
