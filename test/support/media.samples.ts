import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

type Format = 'jpeg' | 'png' | 'webp' | 'gif';

/** An image of one colour, and of these bytes alone. */
export const image = (format: Format, width = 40, height = 30): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .toFormat(format)
    .toBuffer();

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
export const HTML = Buffer.from('<!doctype html><script>document.title="ran"</script>');
export const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"><script>document.title="ran"</script></svg>',
);

/** A page of Ogg. */
function oggPage(granule: bigint, payload: string): Buffer {
  const head = Buffer.alloc(28);
  head.write('OggS', 0, 'latin1');
  head.writeBigInt64LE(granule, 6);
  head[26] = 1;
  head[27] = payload.length;
  return Buffer.concat([head, Buffer.from(payload, 'latin1')]);
}

/** The first page of an Opus stream, and a last one that ends after so many seconds. */
export const opus = (seconds: number): Buffer =>
  Buffer.concat([oggPage(0n, 'OpusHead\x01\x01'), oggPage(BigInt(Math.round(seconds * 48_000)), 'x')]);

/** Ogg with Vorbis, whose comment has the name of another codec. */
export const vorbis = (): Buffer =>
  Buffer.concat([oggPage(0n, `\x01vorbis${'\0'.repeat(23)}`), oggPage(0n, '\x03vorbis by OpusHead')]);

const box = (name: string, ...inner: Buffer[]): Buffer => {
  const body = Buffer.concat(inner);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
};

/** A track of sound, or of a picture; one that is turned was taken by a phone that stood upright. */
function track(width = 0, height = 0, isTurned = false): Buffer {
  const header = Buffer.alloc(84);
  (isTurned ? [44, 52] : [40, 56]).forEach((at) => header.writeInt32BE(65_536, at));
  header.writeUInt16BE(width, 76);
  header.writeUInt16BE(height, 80);
  return box('trak', box('tkhd', header));
}

/** A film of this size, with sound. */
export const film = (width: number, height: number, isTurned = false): Buffer =>
  mp4(5, 'isom', track(), track(width, height, isTurned));

/** The boxes of an MP4 that tell what it is and how long it plays. */
export function mp4(seconds: number, brand = 'isom', ...tracks: Buffer[]): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1_000, 12);
  header.writeUInt32BE(Math.round(seconds * 1_000), 16);
  const type = Buffer.concat([Buffer.from(brand, 'latin1'), Buffer.alloc(4), Buffer.from('isom', 'latin1')]);
  return Buffer.concat([
    box('ftyp', type),
    box('mdat', Buffer.alloc(500)),
    box('moov', box('mvhd', header), ...tracks),
  ]);
}

/** MP3 of no sound. */
export const MP3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(100)]);

/** MP3 of 128 kbit/s and 44,100 Hz; with the number of its frames, where its rate varies. */
export function mp3(seconds: number, varies: boolean): Buffer {
  const first = Buffer.alloc(417);
  first.writeUInt32BE(0xfffb9000, 0);
  if (!varies) return Buffer.concat([MP3.subarray(0, 10), first, Buffer.alloc(seconds * 16_000 - 417)]);
  first.write('Xing\0\0\0\x01', 36, 'latin1');
  first.writeUInt32BE(Math.round((seconds * 44_100) / 1_152), 44);
  return Buffer.concat([MP3.subarray(0, 10), first]);
}

/** AMR of frames of 20 ms, every other one of silence. */
export const amr = (seconds: number): Buffer =>
  Buffer.concat([
    Buffer.from('#!AMR\n', 'latin1'),
    ...Array.from({ length: seconds * 25 }, () =>
      Buffer.concat([Buffer.from([0x3c]), Buffer.alloc(31), Buffer.from([0x7c])]),
    ),
  ]);

/** A sticker that moves. */
export const movingSticker = (): Promise<Buffer> =>
  sharp(Buffer.concat([Buffer.alloc(40 * 30 * 3, 10), Buffer.alloc(40 * 30 * 3, 200)]), {
    raw: { width: 40, height: 60, channels: 3, pageHeight: 30 },
  })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();

type Recorded = 'order.ogg' | 'order.m4a' | 'order.amr' | 'photo.heic' | 'sticker.webp';

/** What a phone records; `media/README.md` has what is on it, and how it was made. */
export const recorded = (name: Recorded): Buffer => readFileSync(join(__dirname, 'media', name));

/** The file with zeros behind it, which readers of it do not look at. */
export const padded = (file: Buffer, size: number): Buffer =>
  Buffer.concat([file, Buffer.alloc(size - file.length)]);
