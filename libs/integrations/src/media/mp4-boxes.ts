import type { FileHandle } from 'node:fs/promises';
import { bytesAt } from './file-bytes';

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
