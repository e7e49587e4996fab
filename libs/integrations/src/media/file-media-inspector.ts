import { open, type FileHandle } from 'node:fs/promises';
import type { MediaKind } from '@app/contracts/media.words';
import {
  MediaInspector,
  NoPreviewError,
  PREVIEWED_PIXELS_MAX,
  type ClaimedType,
  type FileFacts,
} from '@app/domain/media/media-inspector.port';
import type { Sharp } from 'sharp';
import { documentTypeOf, HEAD_BYTES, isAnimatedWebp, isOpus, shownTypeOf } from './file-signatures';
import { amrSecondsOf, mp3SecondsOf, bytesAt, mp4FactsOf, type Mp4Facts } from './media-lengths';

/** Readers of the formats that customers send. All others, SVG and PDF among them, are blocked. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}File`);

type Open = (path: string, pixelsMax: number | false) => Sharp;

let opening: Promise<Open> | undefined;

/** Opens images by their path. The library is loaded when it is needed first: it takes 30 MB and 50 ms. */
function imageLibrary(): Promise<Open> {
  // A failure, such as a lack of memory, is not kept.
  opening ??= load().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function load(): Promise<Open> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: READERS });
  // One thread for each picture, and no memory of earlier ones.
  sharp.concurrency(1);
  sharp.cache(false);
  return (path, pixelsMax) => sharp(path, { limitInputPixels: pixelsMax, failOn: 'truncated', pages: 1 });
}

const LAST_PAGE_BYTES = 65_536;
const OPUS_RATE = 48_000;
const SECONDS_MAX = 86_400;

/** How long audio or video plays, rounded up, and the size of its picture; null where a few reads do not tell. */
async function playingFactsOf(path: string, mimeType: string): Promise<Mp4Facts> {
  await using file = await open(path);
  const { size } = await file.stat();
  const facts = await factsOf(file, size, mimeType);
  const { seconds } = facts;
  const isPlausible = seconds !== null && seconds > 0 && seconds <= SECONDS_MAX;
  return { ...facts, seconds: isPlausible ? Math.ceil(seconds) : null };
}

async function factsOf(file: FileHandle, size: number, mimeType: string): Promise<Mp4Facts> {
  const sound = { width: null, height: null };
  switch (mimeType) {
    case 'audio/ogg':
      return { ...sound, seconds: await opusSecondsOf(file, size) };
    case 'audio/mpeg':
      return { ...sound, seconds: await mp3SecondsOf(file, size) };
    case 'audio/amr':
      return { ...sound, seconds: await amrSecondsOf(file, size) };
    case 'audio/aac':
      return { ...sound, seconds: null };
    default: {
      const facts = await mp4FactsOf(file, size);
      return mimeType.startsWith('video/') ? facts : { ...facts, ...sound };
    }
  }
}

/** The last page of an Opus stream has the position of its last sample. */
async function opusSecondsOf(file: FileHandle, size: number): Promise<number | null> {
  const first = await bytesAt(file, 0, 512);
  if (!isOpus(first)) return null;
  const last = await bytesAt(file, Math.max(0, size - LAST_PAGE_BYTES), LAST_PAGE_BYTES);
  const page = last.lastIndexOf('OggS');
  return page < 0 || page + 14 > last.length ? null : Number(last.readBigInt64LE(page + 6)) / OPUS_RATE;
}

const PREVIEW_SIDE = 640;
const PREVIEW_QUALITY = 75;
const PREVIEW_SECONDS_MAX = 10;
/** What models look at; larger ones they scale themselves, or refuse. */
const PICTURE_SIDE = 1_024;
const PICTURE_QUALITY = 80;

/** MP4 is a container of either; only the sender knows. */
const AUDIO_IN_VIDEO: Readonly<Record<string, string>> = {
  'video/mp4': 'audio/mp4',
  'video/3gpp': 'audio/3gpp',
};
const isAudio = (kind: MediaKind): boolean => kind === 'audio' || kind === 'voice';

/** Looks into files: types by their first bytes, sizes and previews of images by libvips. */
export class FileMediaInspector extends MediaInspector {
  async inspect(path: string, claimed: ClaimedType): Promise<FileFacts> {
    const head = await headOf(path);
    const document: FileFacts = {
      ...{ kind: 'document', mimeType: documentTypeOf(head, claimed.mimeType) },
      ...{ width: null, height: null, seconds: null, isAnimated: isAnimatedWebp(head), isOpus: isOpus(head) },
    };
    const bytes = shownTypeOf(head);
    if (bytes === null) return document;
    const mimeType = (isAudio(claimed.kind) && AUDIO_IN_VIDEO[bytes]) || bytes;
    const kind = claimed.kind === 'document' ? 'document' : kindOf(mimeType, claimed.kind);
    if (!mimeType.startsWith('image/')) {
      return { ...document, ...(await playingFactsOf(path, mimeType)), kind, mimeType };
    }
    const size = await sizeOf(path, mimeType);
    return size ? { ...document, ...size, kind, mimeType } : document;
  }

  preview(path: string): Promise<Buffer> {
    return smaller(path, PREVIEW_SIDE, (image) => image.webp({ quality: PREVIEW_QUALITY }));
  }

  picture(path: string): Promise<Buffer> {
    return smaller(path, PICTURE_SIDE, (image) =>
      image.flatten({ background: '#fff' }).jpeg({ quality: PICTURE_QUALITY }),
    );
  }
}

async function smaller(path: string, side: number, encode: (image: Sharp) => Sharp): Promise<Buffer> {
  if (shownTypeOf(await headOf(path))?.startsWith('image/') !== true) throw new NoPreviewError('no image');
  const openImage = await imageLibrary();
  try {
    const image = openImage(path, PREVIEWED_PIXELS_MAX)
      .autoOrient()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: PREVIEW_SECONDS_MAX });
    return await encode(image).toBuffer();
  } catch (error) {
    throw new NoPreviewError('the image has too many pixels or cannot be read', { cause: error });
  }
}

function kindOf(mimeType: string, claimed: MediaKind): MediaKind {
  if (mimeType === 'image/webp' && claimed === 'sticker') return 'sticker';
  if (mimeType.startsWith('audio/')) return claimed === 'voice' ? 'voice' : 'audio';
  return mimeType.startsWith('image/') ? 'image' : 'video';
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/** Null where the library finds another format, or none. */
async function sizeOf(path: string, mimeType: string): Promise<Pick<FileFacts, 'width' | 'height'> | null> {
  const openImage = await imageLibrary();
  try {
    const { format, autoOrient } = await openImage(path, false).metadata();
    return `image/${format}` === mimeType ? { width: autoOrient.width, height: autoOrient.height } : null;
  } catch {
    return null;
  }
}
