import { open, type FileHandle } from 'node:fs/promises';
import { amrSecondsOf, mp3SecondsOf } from './audio.frames';
import { bytesAt } from './file.bytes';
import { isOpus } from './file.signatures';
import { mp4FactsOf, type Mp4Facts } from './mp4.boxes';

const LAST_PAGE_BYTES = 65_536;
const OPUS_RATE = 48_000;
const SECONDS_MAX = 86_400;

/** How long audio or video plays, rounded up, and the size of its picture; null where a few reads do not tell. */
export async function playingFactsOf(path: string, mimeType: string): Promise<Mp4Facts> {
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
