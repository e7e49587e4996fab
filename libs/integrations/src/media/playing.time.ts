import { open, type FileHandle } from 'node:fs/promises';

/** Boxes of an MP4 file that are looked at before its header is found. */
const BOXES_MAX = 64;
const LAST_PAGE_BYTES = 65_536;
const OPUS_RATE = 48_000;
const SECONDS_MAX = 86_400;

/** How long audio or video plays, rounded up; null where a few reads do not tell. */
export async function secondsOf(path: string, mimeType: string): Promise<number | null> {
  await using file = await open(path);
  const { size } = await file.stat();
  const seconds = mimeType === 'audio/ogg' ? await ofOpus(file, size) : await ofBoxes(file, size, 0, 'moov');
  return seconds !== null && seconds > 0 && seconds <= SECONDS_MAX ? Math.ceil(seconds) : null;
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** The last page of an Opus stream has the position of its last sample. */
async function ofOpus(file: FileHandle, size: number): Promise<number | null> {
  const first = await bytesAt(file, 0, 512);
  if (!first.includes('OpusHead')) return null;
  const last = await bytesAt(file, Math.max(0, size - LAST_PAGE_BYTES), LAST_PAGE_BYTES);
  const page = last.lastIndexOf('OggS');
  return page < 0 || page + 14 > last.length ? null : Number(last.readBigInt64LE(page + 6)) / OPUS_RATE;
}

/** `moov` has `mvhd`, which has the number of units and how many make a second. */
async function ofBoxes(file: FileHandle, end: number, from: number, name: string): Promise<number | null> {
  let at = from;
  for (let looked = 0; looked < BOXES_MAX && at + 16 <= end; looked += 1) {
    const head = await bytesAt(file, at, 32);
    if (head.length < 16) return null;
    const short = head.readUInt32BE(0);
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    if (size < 8) return null;
    if (head.toString('latin1', 4, 8) === name) {
      const inner = at + (short === 1 ? 16 : 8);
      return name === 'moov' ? ofBoxes(file, Math.min(end, at + size), inner, 'mvhd') : ofHeader(file, inner);
    }
    at += size;
  }
  return null;
}

async function ofHeader(file: FileHandle, at: number): Promise<number | null> {
  const header = await bytesAt(file, at, 32);
  if (header.length < 32) return null;
  const isLong = header[0] === 1;
  const units = header.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return units === 0 ? null : length / units;
}
