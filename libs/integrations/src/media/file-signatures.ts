/** So many bytes tell the type of a file. */
export const HEAD_BYTES = 4_096;

const text = (head: Buffer, from: number, to: number): string => head.toString('latin1', from, to);

const isJpeg = (head: Buffer): boolean => head.length > 3 && head.readUIntBE(0, 3) === 0xffd8ff;

/** The brand of an ISO media file (MP4, 3GP, M4A); null: it is none. */
const brandOf = (head: Buffer): string | null =>
  head.length >= 12 && text(head, 4, 8) === 'ftyp' ? text(head, 8, 12).toLowerCase() : null;

function ofBrand(brand: string): string | null {
  if (brand.startsWith('3g')) return 'video/3gpp';
  if (brand.startsWith('m4a')) return 'audio/mp4';
  if (/^(?:iso[m2-9]|mp4[12]|avc1|m4v |dash|msnv|mmp4|f4v )/.test(brand)) return 'video/mp4';
  return null;
}

/** The codec of an Ogg file that has sound only; null: it is none. What it names first counts: comments have any words. */
function oggCodecOf(head: Buffer): string | null {
  if (text(head, 0, 4) !== 'OggS') return null;
  return /OpusHead|\x01vorbis|Speex {3}|\x7fFLAC/.exec(text(head, 0, 512))?.[0] ?? null;
}

/** A header of an MPEG audio frame, layer 3, without reserved values. */
const isMp3Frame = (head: Buffer): boolean =>
  head.length >= 4 &&
  head[0] === 0xff &&
  ((head[1] ?? 0) & 0xe6) === 0xe2 &&
  ((head[1] ?? 0) & 0x18) !== 0x08 &&
  ((head[2] ?? 0) & 0xf0) !== 0xf0 &&
  ((head[2] ?? 0) & 0xf0) !== 0 &&
  ((head[2] ?? 0) & 0x0c) !== 0x0c;

const isAdts = (head: Buffer): boolean =>
  head.length >= 7 && head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0 && ((head[2] ?? 0) & 0x3c) <= 0x30;

const startsWith =
  (start: string) =>
  (head: Buffer): boolean =>
    text(head, 0, start.length) === start;

/** In this order. Each type is one that browsers show without running anything. */
const SHOWN: readonly (readonly [string, (head: Buffer) => boolean])[] = [
  ['image/jpeg', isJpeg],
  ['image/png', startsWith('\x89PNG\r\n\x1a\n')],
  ['image/gif', (head) => /^GIF8[79]a/.test(text(head, 0, 6))],
  ['image/webp', (head) => text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WEBP'],
  ['audio/amr', startsWith('#!AMR')],
  ['audio/mpeg', (head) => startsWith('ID3')(head) || isMp3Frame(head)],
  ['audio/aac', isAdts],
];

/** The type of an image, audio or video file by its first bytes; null: it is something else. */
export function shownTypeOf(head: Buffer): string | null {
  const brand = brandOf(head);
  if (brand !== null) return ofBrand(brand);
  if (oggCodecOf(head) !== null) return 'audio/ogg';
  return SHOWN.find(([, is]) => is(head))?.[0] ?? null;
}

/** An extended header of WebP has a flag for it. */
export const isAnimatedWebp = (head: Buffer): boolean =>
  text(head, 8, 16) === 'WEBPVP8X' && ((head[20] ?? 0) & 0x02) !== 0;

/** The codec of voice messages. */
export const isOpus = (head: Buffer): boolean => oggCodecOf(head) === 'OpusHead';

const ZIPPED: ReadonlySet<string> = new Set([
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]);
const COMPOUND: ReadonlySet<string> = new Set([
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
]);
const PLAIN: ReadonlySet<string> = new Set(['text/plain', 'text/csv']);
const UNKNOWN = 'application/octet-stream';

const isMarkup = (head: Buffer): boolean => /<[!?/a-z]/i.test(text(head, 0, head.length));
const isBinary = (head: Buffer): boolean =>
  head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));

/**
 * The type of a document: what a sender says counts only among types that have these first bytes. Markup is of no
 * type at all, so nothing ever shows it.
 */
export function documentTypeOf(head: Buffer, claimed: string | null): string {
  const said = claimed?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (startsWith('%PDF-')(head)) return 'application/pdf';
  if (startsWith('PK\x03\x04')(head)) return ZIPPED.has(said) ? said : 'application/zip';
  if (startsWith('\xd0\xcf\x11\xe0')(head)) return COMPOUND.has(said) ? said : UNKNOWN;
  return PLAIN.has(said) && head.length > 0 && !isBinary(head) && !isMarkup(head) ? said : UNKNOWN;
}
