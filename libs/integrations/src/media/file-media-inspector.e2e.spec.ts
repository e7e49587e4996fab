import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaKind } from '@app/contracts/media.words';
import { NoPreviewError, PREVIEWED_PIXELS_MAX } from '@app/domain/media/media-inspector.port';
import sharp from 'sharp';
import {
  amr,
  film,
  HTML,
  image,
  mp3,
  MP3,
  mp4,
  opus,
  PDF,
  recorded,
  SVG,
  vorbis,
} from '../../../../test/support/media.samples';
import { FileMediaInspector } from './file-media-inspector';

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

const UNKNOWN = { kind: 'document', mimeType: 'application/octet-stream', width: null, seconds: null };

it.each<[string, () => Promise<Buffer> | Buffer, MediaKind, string | null, object]>([
  ['JPEG', () => image('jpeg', 50, 40), 'image', null, { kind: 'image', width: 50, height: 40 }],
  [
    'PNG',
    () => image('png'),
    'sticker',
    'image/png',
    { kind: 'image', mimeType: 'image/png', width: 40, height: 30 },
  ],
  [
    'WebP',
    () => image('webp'),
    'sticker',
    'image/webp',
    { kind: 'sticker', mimeType: 'image/webp', width: 40 },
  ],
  ['GIF', () => image('gif'), 'sticker', 'image/gif', { mimeType: 'image/gif' }],
  ['MP4', () => mp4(12.4), 'video', 'video/mp4', { kind: 'video', mimeType: 'video/mp4', seconds: 13 }],
  ['wide MP4', () => film(640, 360), 'video', null, { seconds: 5, width: 640, height: 360 }],
  ['upright MP4', () => film(640, 360, true), 'video', null, { kind: 'video', width: 360, height: 640 }],
  ['M4A', () => mp4(3, 'M4A '), 'sticker', null, { kind: 'audio', mimeType: 'audio/mp4', seconds: 3 }],
  [
    'M4A from a customer',
    () => mp4(3, 'M4A '),
    'audio',
    'audio/mp4',
    { kind: 'audio', mimeType: 'audio/mp4', seconds: 3 },
  ],
  ['MP3', () => MP3, 'audio', null, { kind: 'audio', mimeType: 'audio/mpeg', seconds: null }],
  ['MP3 of one rate', () => mp3(9, false), 'audio', null, { mimeType: 'audio/mpeg', seconds: 9 }],
  ['MP3 of varying rates', () => mp3(90, true), 'audio', null, { mimeType: 'audio/mpeg', seconds: 90 }],
  ['AMR', () => amr(6), 'sticker', null, { kind: 'audio', mimeType: 'audio/amr', seconds: 6 }],
  [
    'Opus',
    () => opus(7.2),
    'voice',
    'audio/ogg',
    { kind: 'voice', mimeType: 'audio/ogg', seconds: 8, isOpus: true },
  ],
  ['Vorbis', vorbis, 'sticker', null, { mimeType: 'audio/ogg', isOpus: false, seconds: null }],
  ['PDF', () => PDF, 'document', 'application/pdf', { kind: 'document', mimeType: 'application/pdf' }],
  ['PDF as a picture', () => PDF, 'image', 'image/jpeg', { kind: 'document', mimeType: 'application/pdf' }],
  ['a page as a picture', () => HTML, 'image', 'image/jpeg', UNKNOWN],
  ['a page as a page', () => HTML, 'document', 'text/html', UNKNOWN],
  ['SVG', () => SVG, 'image', 'image/svg+xml', UNKNOWN],
  ['a page as a table', () => HTML, 'sticker', 'text/csv', UNKNOWN],
  ['a film as audio', () => mp4(3), 'audio', null, { kind: 'audio', mimeType: 'audio/mp4', seconds: 3 }],
  ['a picture as a document', () => image('png'), 'document', null, { kind: 'document', width: 40 }],
  [
    'a table',
    () => Buffer.from('a;b\n1;2\n'),
    'sticker',
    'text/csv',
    { kind: 'document', mimeType: 'text/csv' },
  ],
])('%s is what its bytes are', async (_, make, kind, type, facts) => {
  expect(await inspected(await make(), kind, type)).toMatchObject(facts);
});

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
