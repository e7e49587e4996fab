import type { FileHandle } from 'node:fs/promises';

/** A part of a file; shorter where the file ends before. */
export async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

const ID3_HEAD_BYTES = 10;
/** Of the first frame, with what encoders write into it of the whole file. */
const FRAME_BYTES = 256;

/** Kilobits a second of layer 3, by version 1, and by versions 2 and 2.5. */
const BIT_RATES = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
/** Samples a second of version 1; version 2 has half, 2.5 a quarter. */
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;

/** By the number of frames, which encoders write into the first one, or else by its bit rate (MPEG audio, layer 3). */
export async function mp3SecondsOf(file: FileHandle, size: number): Promise<number | null> {
  const id3 = await bytesAt(file, 0, ID3_HEAD_BYTES);
  const start = id3.toString('latin1', 0, 3) === 'ID3' && id3.length === ID3_HEAD_BYTES ? afterId3(id3) : 0;
  const frame = await bytesAt(file, start, FRAME_BYTES);
  if (frame.length < 4 || frame[0] !== 0xff || ((frame[1] ?? 0) & 0xe6) !== 0xe2) return null;
  const [version, rates] = [((frame[1] ?? 0) >> 3) & 3, frame[2] ?? 0];
  const sampleRate = SAMPLE_RATES[(rates >> 2) & 3];
  const bitRate = BIT_RATES[version === 3 ? 0 : 1][(rates >> 4) - 1];
  if (version === 1 || sampleRate === undefined || bitRate === undefined) return null;
  const frames = framesOf(frame);
  if (frames === null) return ((size - start) * 8) / (bitRate * 1_000);
  const samples = version === 3 ? 1_152 : 576;
  return (frames * samples) / (sampleRate / { 3: 1, 2: 2, 0: 4 }[version]!);
}

/** Its size has seven bits a byte. */
const afterId3 = (head: Buffer): number =>
  ID3_HEAD_BYTES + [6, 7, 8, 9].reduce((size, at) => size * 128 + ((head[at] ?? 0) & 0x7f), 0);

/** Of a Xing or Info header; null: there is none. */
function framesOf(frame: Buffer): number | null {
  const at = Math.max(frame.indexOf('Xing', 4, 'latin1'), frame.indexOf('Info', 4, 'latin1'));
  if (at < 0 || at + 12 > frame.length) return null;
  return (frame[at + 7] ?? 0) & 1 ? frame.readUInt32BE(at + 8) : null;
}

/** Twenty minutes at the highest rate: so much is read, in one go. */
const AMR_BYTES_MAX = 2 * 1024 * 1024;
const AMR_FRAME_SECONDS = 0.02;
/** Bytes of a frame by its type, with its head (RFC 4867). */
const AMR_BYTES = [13, 14, 16, 18, 20, 21, 27, 32, 6] as const;
const AMR_WIDE_BYTES = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6] as const;

/** Frames of 20 milliseconds, counted; null where the file is too long for that, or is broken. */
export async function amrSecondsOf(file: FileHandle, size: number): Promise<number | null> {
  if (size > AMR_BYTES_MAX) return null;
  const bytes = await bytesAt(file, 0, size);
  const isWide = bytes.toString('latin1', 0, 9) === '#!AMR-WB\n';
  if (!isWide && bytes.toString('latin1', 0, 6) !== '#!AMR\n') return null;
  const lengths: readonly number[] = isWide ? AMR_WIDE_BYTES : AMR_BYTES;
  let frames = 0;
  for (let at = isWide ? 9 : 6; at < bytes.length; frames += 1) {
    const type = ((bytes[at] ?? 0) >> 3) & 15;
    // Nothing was said, or it was lost.
    const length = type >= 14 ? 1 : lengths[type];
    if (length === undefined) return null;
    at += length;
  }
  return frames * AMR_FRAME_SECONDS;
}

/** Boxes of one level that are looked at. */
const BOXES_MAX = 64;
const TRACKS_MAX = 8;
const SIDE_MAX = 32_768;

/** What the header of an ISO media file (MP4, 3GP, M4A) tells. */
export interface Mp4Facts {
  seconds: number | null;
  /** Of the picture as it is shown, in pixels; null: there is none. */
  width: number | null;
  height: number | null;
}

interface Box {
  /** Where its content is. */
  from: number;
  to: number;
}

/** `moov` has `mvhd`, with how long it plays, and a `trak` with `tkhd` for each track, with the size of its picture. */
export async function mp4FactsOf(file: FileHandle, size: number): Promise<Mp4Facts> {
  const [movie] = await boxesOf(file, { from: 0, to: size }, 'moov', 1);
  if (!movie) return { seconds: null, width: null, height: null };
  const [header] = await boxesOf(file, movie, 'mvhd', 1);
  const seconds = header ? secondsOf(await bytesAt(file, header.from, 32)) : null;
  for (const track of await boxesOf(file, movie, 'trak', TRACKS_MAX)) {
    const [of] = await boxesOf(file, track, 'tkhd', 1);
    const picture = of && pictureOf(await bytesAt(file, of.from, 96));
    if (picture) return { seconds, ...picture };
  }
  return { seconds, width: null, height: null };
}

async function boxesOf(file: FileHandle, { from, to }: Box, name: string, max: number): Promise<Box[]> {
  const found: Box[] = [];
  let at = from;
  for (let looked = 0; looked < BOXES_MAX && found.length < max && at + 8 <= to; looked += 1) {
    const head = await bytesAt(file, at, 16);
    if (head.length < 16) break;
    const short = head.readUInt32BE(0);
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    if (size < 8) break;
    if (head.toString('latin1', 4, 8) === name)
      found.push({ from: at + (short === 1 ? 16 : 8), to: Math.min(to, at + size) });
    at += size;
  }
  return found;
}

/** The number of units, and how many make a second. */
function secondsOf(header: Buffer): number | null {
  if (header.length < 32) return null;
  const isLong = header[0] === 1;
  const units = header.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return units === 0 ? null : length / units;
}

/** Width and height as fixed-point numbers; a matrix without its diagonal turns the picture by a quarter. */
function pictureOf(header: Buffer): Pick<Mp4Facts, 'width' | 'height'> | null {
  const matrix = header[0] === 1 ? 52 : 40;
  if (header.length < matrix + 44) return null;
  const [width, height] = [header.readUInt16BE(matrix + 36), header.readUInt16BE(matrix + 40)];
  if (width === 0 || height === 0 || width > SIDE_MAX || height > SIDE_MAX) return null;
  const isTurned =
    header.readInt32BE(matrix) === 0 &&
    header.readInt32BE(matrix + 16) === 0 &&
    header.readInt32BE(matrix + 4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}
