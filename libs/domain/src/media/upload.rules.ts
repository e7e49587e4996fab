import type { MediaKind } from '@app/contracts/media.words';
import type { ClaimedType, FileFacts } from './media-inspector.port';
import { UnusableFileError, UploadTooLargeError } from './media.errors';

const KIB = 1024;
const MIB = 1024 * KIB;

type SentKind = Exclude<MediaKind, 'voice' | 'document'>;

/** The types that WhatsApp shows as such, and the most bytes of each (Meta: Media, supported media types). */
const SENT: Readonly<Record<SentKind, { types: readonly string[]; bytesMax: number }>> = {
  image: { types: ['image/jpeg', 'image/png'], bytesMax: 5 * MIB },
  video: { types: ['video/mp4', 'video/3gpp'], bytesMax: 16 * MIB },
  audio: {
    types: ['audio/aac', 'audio/amr', 'audio/mp4', 'audio/mpeg'],
    bytesMax: 16 * MIB,
  },
  sticker: { types: ['image/webp'], bytesMax: 500 * KIB },
};
const STILL_STICKER_BYTES_MAX = 100 * KIB;
const DOCUMENT_BYTES_MAX = 100 * MIB;

/** What browsers and programs often cannot tell: the type of a document by its name's ending. */
const TYPES_BY_ENDING: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** What a sender says of an uploaded file. The bytes decide what of it counts. */
export function claimedType(mimeType: string | null, name: string | null): ClaimedType {
  const said = mimeType?.toLowerCase() ?? '';
  const ending = name?.split('.').at(-1)?.toLowerCase() ?? '';
  const byName = Object.hasOwn(TYPES_BY_ENDING, ending) ? TYPES_BY_ENDING[ending] : undefined;
  // WebP that is sent is a sticker; of all other bytes this kind decides nothing.
  return { kind: said.startsWith('audio/') ? 'audio' : 'sticker', mimeType: byName ?? mimeType };
}

/**
 * A file of a type that WhatsApp shows only as a document is sent as one. Ogg with Opus is a voice message (Meta: Audio
 * messages); with another codec it is no audio to WhatsApp.
 */
export function sentKindOf({ kind, mimeType, isOpus }: FileFacts): MediaKind {
  if (mimeType === 'audio/ogg' && isOpus) return 'voice';
  const known = Object.entries(SENT).find(([, { types }]) => types.includes(mimeType));
  return known && kind !== 'document' ? (known[0] as SentKind) : 'document';
}

/** @throws UnusableFileError for a file without bytes; UploadTooLargeError for one with more than WhatsApp takes of its kind */
export function requireSize(kind: MediaKind, size: number, isAnimated: boolean): void {
  if (size === 0) throw new UnusableFileError('must not be empty');
  const bytesMax = bytesMaxOf(kind, isAnimated);
  if (size > bytesMax) throw new UploadTooLargeError(wordsOf(kind, isAnimated), bytesMax);
}

function bytesMaxOf(kind: MediaKind, isAnimated: boolean): number {
  if (kind === 'document') return DOCUMENT_BYTES_MAX;
  if (kind === 'sticker' && !isAnimated) return STILL_STICKER_BYTES_MAX;
  return SENT[kind === 'voice' ? 'audio' : kind].bytesMax;
}

const wordsOf = (kind: MediaKind, isAnimated: boolean): string =>
  kind === 'sticker' ? `sticker (WebP${isAnimated ? ', animated' : ''})` : kind;

const LENGTH_MAX = 200;
/**
 * Control characters, separators of lines, and those that turn the direction of text, which disguise an ending. The two
 * joiners stay: words in Persian and Hindi are spelt with them, and families of emoji are joined by them.
 */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;
const NOTHING_TO_READ = /^[.\u200C\u200D]*$/u;

/**
 * A file's name as a sender gave it, without folders and invisible characters, at most 200 characters; the ending
 * stays. Null where nothing is left.
 */
export function fileNameOf(given: string | null | undefined): string | null {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(INVISIBLE, '').normalize('NFC').trim();
  if (NOTHING_TO_READ.test(name)) return null;
  const letters = [...name];
  if (letters.length <= LENGTH_MAX) return name;
  const dot = letters.lastIndexOf('.');
  const ending = dot > 0 && letters.length - dot <= 16 ? letters.slice(dot) : [];
  return [...letters.slice(0, LENGTH_MAX - ending.length), ...ending].join('');
}
