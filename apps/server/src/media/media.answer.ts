import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredMedia } from '@app/domain/media/media-reading.service';
import type { ByteRange } from '@app/domain/media/media-store.port';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { READER_LIMITS } from '../http/body/reader-limits';

/** `bytes=0-99`, `bytes=100-`, `bytes=-50`. */
const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The part of a file that a Range header asks for. Undefined where the whole file is the answer: no header, several
 * ranges, or another unit. Null: nothing of the file is in the range.
 * @param size of the file, in bytes
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0 ? null : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? null : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Whether a header of entity tags names one, by weak comparison (RFC 9110). */
export const namesTag = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((given) => ['*', tag].includes(given.trim().replace(/^W\//, ''))) ?? false;

/** Browsers show these without running anything. They are known by their bytes. */
const SHOWN_TYPES =
  /^(?:image\/(?:jpeg|png|gif|webp)|audio\/(?:aac|amr|mp4|mpeg|ogg|3gpp)|video\/(?:mp4|3gpp))$/;
const DOCUMENT_TYPES = /^(?:application\/(?:pdf|zip|msword|vnd\.[\w.-]+)|text\/(?:plain|csv))$/;
const UNKNOWN_TYPE = 'application/octet-stream';

/** Whoever opens the bytes as a page gets one without scripts, and without our origin. */
const HARMLESS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  // A file may be erased, and a key revoked: each use asks again, and gets 304.
  'Cache-Control': 'private, no-cache',
};

const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/3gpp': '3gp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
};

const typeOf = (type: string): string =>
  SHOWN_TYPES.test(type) || DOCUMENT_TYPES.test(type) ? type : UNKNOWN_TYPE;

function dispositionOf({ kind, id, file_name: name, mime_type: type }: StoredMedia): string {
  const isShown = SHOWN_TYPES.test(type);
  return contentDisposition(name ?? `${kind}-${id}.${ENDINGS[type] ?? 'bin'}`, {
    type: isShown ? 'inline' : 'attachment',
  });
}

/** Answers with a file or a part of it, by RFC 9110: entity tags and one range. */
export async function answerFile(
  request: Request,
  response: Response,
  media: StoredMedia,
  open: (range?: ByteRange) => Promise<Readable>,
): Promise<void> {
  const { size, mime_type: type } = media;
  const tag = `"${media.sha256}"`;
  response.set({ ...HARMLESS, ETag: tag, 'Accept-Ranges': 'bytes' });
  if (namesTag(request.get('If-None-Match'), tag)) return void response.status(304).end();
  const condition = request.get('If-Range');
  const range =
    condition === undefined || condition === tag ? byteRangeOf(request.get('Range'), size) : undefined;
  if (range === null) return void response.status(416).set('Content-Range', `bytes */${size}`).end();
  const heads = { 'Content-Type': typeOf(type), 'Content-Disposition': dispositionOf(media) };
  // The head waits for the store: where the bytes are gone, the answer is a refusal.
  const bytes = request.method === 'HEAD' ? null : await open(range);
  const length = range ? range.end - range.start + 1 : size;
  response.set({ ...heads, 'Content-Length': String(length) });
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  if (!bytes) return void response.end();
  const { silenceMs, bytesPerSecondMin } = READER_LIMITS;
  response.setTimeout(silenceMs, () => response.destroy());
  const signal = AbortSignal.timeout(Math.ceil(silenceMs + (length / bytesPerSecondMin) * 1_000));
  // The connection breaks where the bytes do not come whole: the reader must not take a part for the file.
  await pipeline(bytes, response, { signal }).catch(() => response.destroy());
}

export function answerPreview(
  request: Request,
  response: Response,
  media: StoredMedia,
  preview: Buffer,
): void {
  const tag = `"${media.sha256}.preview"`;
  response.set({ ...HARMLESS, ETag: tag });
  if (namesTag(request.get('If-None-Match'), tag)) return void response.status(304).end();
  response.set({ 'Content-Type': 'image/webp', 'Content-Disposition': 'inline' });
  response.set('Content-Length', String(preview.length)).end(preview);
}
