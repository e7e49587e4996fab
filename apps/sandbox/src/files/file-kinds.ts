import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '@app/contracts/coded.errors';

/** The folder of the project, wherever the built files are: pages and samples are not built. */
export function projectFolder(): string {
  for (let folder = __dirname; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder;
  throw new StartError(`The sandbox finds no package.json above ${__dirname}: start it inside the project.`);
}

/** What a file is in a chat. A voice message is an audio file that was recorded in the chat. */
export const FILE_KINDS = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

interface Sample {
  file: string;
  mimeType: string;
}

/** The files that a phone without files sends, one of each kind. */
const SAMPLES: Readonly<Record<FileKind, Sample>> = {
  image: { file: 'photo.jpg', mimeType: 'image/jpeg' },
  video: { file: 'video.mp4', mimeType: 'video/mp4' },
  audio: { file: 'audio.mp3', mimeType: 'audio/mpeg' },
  voice: { file: 'voice.ogg', mimeType: 'audio/ogg; codecs=opus' },
  document: { file: 'document.pdf', mimeType: 'application/pdf' },
  sticker: { file: 'sticker.webp', mimeType: 'image/webp' },
};

const FOLDER = 'apps/sandbox/samples';
const read = new Map<FileKind, Buffer>();

/** A small file of the kind, which programs of people can open. */
export function sampleOf(kind: FileKind): { bytes: Buffer; mimeType: string; name: string } {
  const { file, mimeType } = SAMPLES[kind];
  let bytes = read.get(kind);
  if (!bytes) read.set(kind, (bytes = readFileSync(join(projectFolder(), FOLDER, file))));
  return { bytes, mimeType, name: file };
}

/** The MIME type without its parameters, in lower case. */
export const bareType = (mimeType: string): string => (mimeType.split(';')[0] ?? '').trim().toLowerCase();

const MB = 1024 * 1024;

/** The most bytes that WhatsApp takes of each kind (Meta: supported media types). */
export const BYTES_MAX: Readonly<Record<FileKind, number>> = {
  image: 5 * MB,
  video: 16 * MB,
  audio: 16 * MB,
  voice: 16 * MB,
  document: 100 * MB,
  sticker: 500 * 1024,
};

const AUDIO_TYPES = ['audio/aac', 'audio/amr', 'audio/mp4', 'audio/mpeg', 'audio/ogg', 'audio/opus'];
const DOCUMENT_TYPES = [
  'application/msword',
  'application/pdf',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/plain',
];

/** The MIME types that WhatsApp takes of each kind (Meta: supported media types). */
export const TYPES_TAKEN: Readonly<Record<Exclude<FileKind, 'voice'>, readonly string[]>> = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/3gpp', 'video/mp4'],
  audio: AUDIO_TYPES,
  document: DOCUMENT_TYPES,
  sticker: ['image/webp'],
};

/** The kind of a file that a business gives away, by its MIME type; null: WhatsApp takes none of this type. */
export function kindOfType(mimeType: string): Exclude<FileKind, 'voice'> | null {
  const bare = bareType(mimeType);
  for (const kind of ['image', 'video', 'audio', 'document', 'sticker'] as const)
    if (TYPES_TAKEN[kind].includes(bare)) return kind;
  return null;
}
